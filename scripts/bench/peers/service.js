/** The path of the OpenAPI document. */
export const DOCUMENT = process.env.BENCH_DOCUMENT
/** The base path of the document. */
export const BASE_PATH = '/v1'

/** Whether a request has the one key that is good. */
export function hasKey (headers) {
  return headers.authorization === `Bearer ${process.env.BENCH_KEY}`
}

/** Tells the script that has started this program where it listens, and ends with that script. */
export function ready (server) {
  server.keepAliveTimeout = 72_000
  console.error(`Listening on http://127.0.0.1:${server.address().port}`)
  process.stdin.resume().on('end', () => process.exit())
}
