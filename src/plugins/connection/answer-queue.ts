import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The answers of each connection, in the order of their requests, until they are sent or given up. */
const queues = new WeakMap<Socket, ServerResponse[]>()

/** Adds an answer to those of its connection, and gives the one right before it, if that is still to be sent. */
export function enqueueAnswer (socket: Socket, answer: ServerResponse): ServerResponse | undefined {
  const queue = queues.get(socket) ?? []
  queues.set(socket, queue)
  const before = queue.at(-1)
  queue.push(answer)
  answer.once('close', () => queue.splice(queue.indexOf(answer), 1))
  return before?.writableFinished ? undefined : before
}

/** Gives the answer that a connection has to send next, if any. */
export function nextAnswer (socket: Socket): ServerResponse | undefined {
  return queues.get(socket)?.find((answer) => !answer.writableFinished)
}
