import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ApiError } from '../../domain/errors.js'
import { unparsedBytes } from './node-parser.js'

/** What was written in place of responses to requests whose bodies are malformed or too slow. */
export const refusedInstead = new WeakMap<ServerResponse, ApiError>()

/** The newest answer of each connection, and the one right before each that had to wait for it. */
const newest = new WeakMap<Socket, ServerResponse>()
const before = new WeakMap<ServerResponse, ServerResponse>()
/** How many answers of each connection wait. */
const waiting = new WeakMap<Socket, number>()

/** Adds an answer to those of its connection, and gives the one right before it, if that is still to be sent. */
export function enqueueAnswer (socket: Socket, answer: ServerResponse): ServerResponse | undefined {
  const last = newest.get(socket)
  newest.set(socket, answer)
  if (!last || isOver(last)) return undefined
  before.set(answer, last)
  waiting.set(socket, waitingAnswers(socket) + 1)
  last.once('close', () => {
    before.delete(answer)
    waiting.set(socket, waitingAnswers(socket) - 1)
  })
  return last
}

/** Gives the answer that a connection has to send next, if any. */
export function nextAnswer (socket: Socket): ServerResponse | undefined {
  let next: ServerResponse | undefined
  for (let answer = newest.get(socket); answer && !isOver(answer); answer = before.get(answer)) next = answer
  return next
}

function isOver (answer: ServerResponse): boolean {
  return answer.writableFinished || answer.closed
}

/** Whether no request has arrived behind that of an answer. */
export function isLastAnswer (answer: ServerResponse): boolean {
  const { socket } = answer.req
  return newest.get(socket) === answer && unparsedBytes(socket) === 0
}

/** Whether a connection has an answer to send, or a part of one. */
export function hasToSend (socket: Socket): boolean {
  const last = newest.get(socket)
  return socket.writableLength > 0 || (last !== undefined && !isOver(last))
}

/** Gives how many requests of a connection wait for the answers before theirs. */
export function waitingAnswers (socket: Socket): number {
  return waiting.get(socket) ?? 0
}
