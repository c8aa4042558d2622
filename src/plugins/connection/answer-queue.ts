import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

interface Queue {
  /** The answers in the order of their requests, until they are sent or given up. */
  answers: ServerResponse[]
  /** What had been read of the connection, in bytes, when the last of them left. */
  bytesRead: number
}

const queues = new WeakMap<Socket, Queue>()

/** Adds an answer to those of its connection, and gives the one right before it, if that is still to be sent. */
export function enqueueAnswer (socket: Socket, answer: ServerResponse): ServerResponse | undefined {
  let queue = queues.get(socket)
  if (!queue) queues.set(socket, (queue = { answers: [], bytesRead: 0 }))
  const { answers } = queue
  const before = answers.at(-1)
  answers.push(answer)
  answer.once('close', () => {
    answers.splice(answers.indexOf(answer), 1)
    if (answers.length === 0) queue.bytesRead = socket.bytesRead
  })
  return before?.writableFinished ? undefined : before
}

/** Gives the answer that a connection has to send next, if any. */
export function nextAnswer (socket: Socket): ServerResponse | undefined {
  return queues.get(socket)?.answers.find((answer) => !answer.writableFinished)
}

/** Whether no request has arrived behind that of an answer. */
export function isLastAnswer (answer: ServerResponse): boolean {
  return queues.get(answer.req.socket)?.answers.at(-1) === answer
}

/** Whether a connection has nothing to send, and no part of another request has arrived. */
export function isIdle (socket: Socket): boolean {
  const { answers, bytesRead } = queues.get(socket) ?? { answers: [], bytesRead: 0 }
  return answers.length === 0 && socket.writableLength === 0 && socket.bytesRead === bytesRead
}
