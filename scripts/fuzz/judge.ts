import type { Document } from '../../src/contract/document/openapi.js'
import type { Operation } from '../../src/contract/operation/operation.js'
import { parseJson } from '../../src/contract/request/json.js'
import { conformanceOf } from '../http/conformance.js'
import { send, type Reply, type Target } from './client.js'
import type { Issued } from './issued.js'
import type { FuzzRequest } from './requests.js'
import type { Json } from './values.js'

/** Statuses that a valid request may get because of the state of the service; the document must declare them. */
const OF_STATE = [304, 404, 409, 422]

/** Makes a function that sends a request and says what is wrong with its answer: undefined when nothing is. */
export function judgeOf (
  document: Document,
  operations: Operation[],
  issued: Issued,
  target: Target
): (request: FuzzRequest) => Promise<{ reply: Reply; fault: string | undefined }> {
  const nonconformance = conformanceOf(document)
  const itemOf = (operation: Operation) =>
    operations.find(({ method, path }) => method === 'get' && new RegExp(`^${operation.path}/\\{\\w+\\}$`).test(path))
  /** The name under which the ids of a collection are sent back: that of the parameter in the paths of its items. */
  const idOf = (operation: Operation) =>
    operations
      .map(({ path }) =>
        path.startsWith(`${operation.path}/{`) ? /\{(\w+)\}/.exec(path.slice(operation.path.length))![1] : undefined
      )
      .find(Boolean)

  const verdictOn = async (request: FuzzRequest, reply: Reply): Promise<string | undefined> => {
    const { operation, method, path, wanted, sent } = request
    const fault = nonconformance(method, path, reply)
    if (fault) return fault
    if (reply.status >= 500) return 'the service failed'
    if (wanted) return wanted.includes(reply.status) ? undefined : `the fault should be a ${wanted.join(' or ')}`
    if (OF_STATE.includes(reply.status)) return undefined
    if (reply.status !== operation.success) return `the request is valid and should be a ${operation.success}`
    rememberCursors(reply)
    return reply.status === 201 ? await faultOfCreated(operation, sent, reply) : undefined
  }

  const rememberCursors = ({ headers }: Reply) => {
    const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    for (const [name, value] of new URL(next ?? '', 'http://localhost').searchParams) issued.remember(name, value)
  }

  /** What was created must be what was sent, and must be found again byte for byte. */
  const faultOfCreated = async (
    operation: Operation,
    sent: Json | undefined,
    { text }: Reply
  ): Promise<string | undefined> => {
    const made = parseJson(Buffer.from(text)) as { [name: string]: unknown }
    for (const [name, value] of Object.entries(sent as object)) {
      if (plain(made[name]) !== plain(value)) return `the property ${name} was changed`
    }
    const id = idOf(operation)
    if (id === undefined || made.id === undefined) return undefined
    issued.remember(id, String(made.id))
    const item = itemOf(operation)
    if (!item) return undefined
    const found = await send(target, {
      operation: item,
      method: 'GET',
      path: item.path.replace(/\{\w+\}/, String(made.id)),
      headers: {}
    })
    return found.text === text ? undefined : `GET has other bytes: ${found.status} ${found.text}`
  }

  const judge = async (request: FuzzRequest) => {
    const reply = await send(target, request)
    const fault = await verdictOn(request, reply)
    if (fault === undefined) return { reply, fault }
    const { method, path, headers, body = '' } = request
    const sent = `${request.fault ?? 'valid'}: ${method} ${path} ${JSON.stringify(headers)} ${body}`
    return { reply, fault: `${fault}\n  ${sent}\n  answer: ${reply.status} ${reply.text}` }
  }

  // Valid writes go one after another: another write may change what one has created before it is read again.
  let lastWrite: Promise<unknown> = Promise.resolve()
  return (request) => {
    const isWrite = request.fault === undefined && request.operation.method !== 'get'
    if (!isWrite) return judge(request)
    const verdict = lastWrite.then(() => judge(request))
    lastWrite = verdict.catch(() => undefined)
    return verdict
  }
}

/** A value as text that is the same for an integer in a number and in a bigint. */
function plain (value: unknown): string {
  const isInteger = (part: unknown) => typeof part === 'bigint' || Number.isInteger(part)
  return JSON.stringify(value, (_, part: unknown) => (isInteger(part) ? { integer: String(part) } : part))
}
