import fc from 'fast-check'
import type { Document } from '../../src/contract/document/openapi.js'
import { operationsOf } from '../../src/contract/operation/operation.js'
import { repliesOf, sendRaw, type RawReply } from '../http/raw.js'
import { faultOf, missingHeader } from '../http/refusal.js'
import { hangUp, type Target } from './client.js'
import { Issued } from './issued.js'
import { judgeOf } from './judge.js'
import { mutatedBytes } from './mutations.js'
import { faultyRequestsOf } from './faulty-requests.js'
import { validRequestsOf } from './requests.js'

/** How many requests are sent at a time. */
const BATCH = 10
/** Longest wait for an answer, in milliseconds. */
const PATIENCE = 1_500
/** The 5xx that HTTP has for faults of the sender: a transfer coding and a version that the service does not have. */
const FAULTS_OF_SENDER = [501, 505]

/** How many requests are sent, and the seed that they are made from. */
export interface FuzzOptions {
  runs: number
  seed: number
  /** Is told from time to time how many have been sent. */
  progress?: (sent: number) => void
}

/** What was sent, and how it was answered. */
export interface Figures {
  /** Lines for people: how many of what were sent, and how they were answered. */
  lines: string[]
  /** The first thing that is wrong, with the request that shows it; undefined when nothing is. */
  fault: string | undefined
}

/**
 * Sends requests made from the document, half of them valid and half with one fault, to every operation that it has.
 */
export async function fuzzOperations (
  document: Document,
  target: Target,
  options: FuzzOptions
): Promise<Figures> {
  const operations = operationsOf(document)
  const issued = new Issued()
  const judge = judgeOf(document, operations, issued, target)
  const tallies = new Map(
    operations.map(({ operationId }) => [operationId, { valid: new Tally(), faulty: new Tally() }])
  )
  const requests = fc.oneof(
    ...operations.flatMap((operation) => [
      validRequestsOf(document, operation, issued),
      faultyRequestsOf(document, operation, issued)
    ])
  )
  const fault = await firstFault(requests, options, async (request) => {
    const { reply, fault } = await judge(request)
    const tally = tallies.get(request.operation.operationId)!
    tally[request.fault === undefined ? 'valid' : 'faulty'].add(reply.status)
    return fault
  })
  hangUp()
  const never = operations.find(({ operationId, success }) => !tallies.get(operationId)!.valid.has(success!))
  return {
    lines: [...tallies].flatMap(([operationId, { valid, faulty }]) => [
      `${operationId}: valid ${valid}`,
      `${operationId}: with a fault ${faulty}`
    ]),
    fault: fault ?? (never && `no valid request to ${never.operationId} was answered with ${never.success}`)
  }
}

/** Sends valid requests to every operation of the document with some of their bytes changed. */
export async function fuzzBytes (document: Document, target: Target, options: FuzzOptions): Promise<Figures> {
  const issued = new Issued()
  const valid = fc.oneof(...operationsOf(document).map((operation) => validRequestsOf(document, operation, issued)))
  const tally = new Tally()
  let slowest = 0
  const fault = await firstFault(mutatedBytes(valid, target), options, async (bytes) => {
    const start = performance.now()
    const text = await sendRaw(target.port, bytes, { end: true })
    const ms = performance.now() - start
    slowest = Math.max(slowest, ms)
    const replies = repliesOf(text)
    for (const { status } of replies) tally.add(status)
    if (replies.length === 0) tally.add('no answer')
    const sent = JSON.stringify(bytes.toString('latin1'))
    if (ms > PATIENCE) return `an answer took ${Math.round(ms)} ms\n  to ${sent}`
    const fault = replies.map(faultOfRaw).find(Boolean)
    return fault && `${fault}\n  to ${sent}\n  answer: ${text.slice(0, 1_000)}`
  })
  return { lines: [`changed bytes: ${tally}`, `slowest answer: ${Math.round(slowest)} ms`], fault }
}

/** What is wrong with an answer to bytes that may be no request at all; undefined when nothing is. */
function faultOfRaw (reply: RawReply): string | undefined {
  if (reply.status === 100) return undefined
  if (reply.status >= 500 && !FAULTS_OF_SENDER.includes(reply.status)) return `the status is ${reply.status}`
  return reply.status >= 400 && reply.body !== '' ? faultOf(reply) : missingHeader(reply)
}

/** Sends what is generated, some at a time, until something is wrong with an answer; says what. */
async function firstFault<Value> (
  values: fc.Arbitrary<Value>,
  { runs, seed, progress = () => {} }: FuzzOptions,
  faultOf: (value: Value) => Promise<string | undefined>
): Promise<string | undefined> {
  let sent = 0
  const batches = fc.array(values, { minLength: BATCH, maxLength: BATCH })
  const property = fc.asyncProperty(batches, async (batch) => {
    const faults = await Promise.all(batch.map(faultOf))
    sent += BATCH
    if (sent % 100 === 0) progress(sent)
    const fault = faults.find(Boolean)
    if (fault) throw new Error(fault)
  })
  const { failed, errorInstance } = await fc.check(property, {
    seed,
    numRuns: Math.ceil(runs / BATCH),
    endOnFailure: true
  })
  return failed ? (errorInstance as Error).message : undefined
}

/** Counts by status. */
class Tally {
  readonly #counts = new Map<number | string, number>()

  add (status: number | string): void {
    this.#counts.set(status, (this.#counts.get(status) ?? 0) + 1)
  }

  has (status: number): boolean {
    return this.#counts.has(status)
  }

  toString (): string {
    return [...this.#counts]
      .sort(([one], [other]) => String(one).localeCompare(String(other)))
      .map(([status, count]) => `${count} x ${status}`)
      .join(', ')
  }
}
