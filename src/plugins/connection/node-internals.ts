import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/*
 * What the service needs of Node's HTTP server and Node has no public name for. If a version of Node drops one of these
 * names, the service still runs, without what is said below; the tests of its connections fail.
 */

type Internals = ServerResponse & { _onPendingData?: (bytes: number) => void }

/**
 * Tells Node that the connection of an answer has so many bytes more, or less, to send: it stops to read a connection
 * that has more to send than its high-water mark. `pause()` would not do, since Node resumes a connection by itself
 * whenever a request was read to its end. Without this name, a client that sends many requests before it reads the
 * first answer fills the memory with them.
 */
export function addPendingBytes (answer: ServerResponse, bytes: number): void {
  ;(answer as Internals)._onPendingData?.(bytes)
}

/**
 * Lets a client that ends its side of a connection behind its requests still read the answers (RFC 9112, section 9.6).
 * Without this name Node closes such a connection before they are sent.
 */
export function allowHalfOpen (server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true })
}

/**
 * Gives the connections over which something has arrived, but no part of a request that is not whole yet. Without this
 * name none is found, and they stay until the last of them is cut.
 */
export function connectionsBetweenRequests (server: Server): Socket[] {
  const name = Object.getOwnPropertySymbols(server).find(({ description }) => description === 'http.server.connections')
  const list = name && (server as unknown as Record<symbol, { idle?: () => { socket: Socket }[] }>)[name]
  return list?.idle?.().map(({ socket }) => socket) ?? []
}

/**
 * Gives how many bytes of a connection the system has not taken yet. Without this name the length of what was written
 * stands for it, which only changes when a whole answer was taken.
 */
export function unsentBytes (socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null }
  return handle?.writeQueueSize ?? socket.writableLength
}
