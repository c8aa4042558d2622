import fp from 'fastify-plugin'
import type { Operation } from '../../contract/index.js'
import type { Clock } from '../../domain/clock.js'
import { ApiError } from '../../domain/errors.js'
import { inWords } from '../../pages/dates.js'

export interface DeprecationOptions {
  operations: Operation[]
  clock: Clock
  /** Whether there is a page of deprecations to point at. */
  docs: boolean
  /** Answer 410 once an operation's sunset has come, instead of serving it on. */
  enforceSunset: boolean
}

/** Deprecation (RFC 9745), Sunset (RFC 8594) and Link on every answer of an operation that the document deprecates. */
export const deprecation = fp<DeprecationOptions>(
  async (app, { operations, clock, docs, enforceSunset }) => {
    const headers = new Map(
      operations
        .filter((operation) => operation.deprecation)
        .map((operation) => [operation.operationId, headersOf(operation, operations, docs)])
    )

    for (const { operationId, deprecation } of operations) {
      if (deprecation && deprecation.sunset.valueOf() <= clock.now()) {
        app.log.warn({ operationId, sunset: deprecation.sunset }, 'the sunset of a deprecated operation has passed')
      }
    }
    app.addHook('onSend', (request, reply, _payload, done) => {
      const ofOperation = request.operation?.deprecation && headers.get(request.operation.operationId)
      if (!ofOperation) return done()
      const ofHandler = reply.getHeader('link')
      reply.headers(ofOperation)
      if (ofHandler !== undefined) reply.header('link', `${ofHandler}, ${ofOperation.link}`)
      done()
    })
    if (!enforceSunset) return
    app.addHook('preParsing', (request, _reply, payload, done) => {
      const sunset = request.operation?.deprecation?.sunset
      if (!sunset || sunset.valueOf() > clock.now()) return done(null, payload)
      const message = `This operation was removed on ${inWords(sunset)}. The Link header names its successor.`
      done(new ApiError('gone', message))
    })
  },
  { name: 'deprecation', dependencies: ['operation'] }
)

function headersOf (operation: Operation, operations: Operation[], docs: boolean) {
  const { since, sunset, successor: successorId } = operation.deprecation!
  const { operationId, route } = operation
  const notice = referenceTo(`/deprecations#${encodeURIComponent(operationId)}`, route)
  const links = docs ? [`<${notice}>; rel="deprecation"`, `<${notice}>; rel="sunset"`] : []
  const successor = operations.find(({ operationId }) => operationId === successorId)
  if (successor) links.unshift(`<${referenceTo(successor.route, route)}>; rel="successor-version"`)
  return { deprecation: `@${since.valueOf() / 1000}`, sunset: sunset.toUTCString(), link: links.join(', ') }
}

/**
 * Writes a relative reference to one path of the server from another (RFC 3986, section 5.2), so that it also leads
 * there behind a proxy that has put a prefix before both.
 */
function referenceTo (target: string, from: string): string {
  const folder = from.split('/').slice(0, -1)
  const segments = target.split('/')
  const differing = folder.findIndex((segment, index) => index === segments.length - 1 || segment !== segments[index])
  const common = differing === -1 ? folder.length : differing
  const up = '../'.repeat(folder.length - common) || './'
  return up + segments.slice(common).join('/')
}
