import fc from 'fast-check'
import type { Document } from '../../src/contract/document/openapi.js'
import { operationsOf } from '../../src/contract/operation/operation.js'
import { repliesOf, sendRaw } from '../http/raw.js'
import { faultOf, lackOf } from '../http/refusal.js'
import { hangUp, type Target } from './client.js'
import { Given } from './given.js'
import { judgeOf } from './judge.js'
import { mutatedBytes } from './mutations.js'
import { faultyRequestsOf, validRequestsOf } from './requests.js'

/** How many requests are sent at a time. */
const BATCH = 10
/** Longest wait for an answer, in milliseconds. */
const PATIENCE = 1_500
/**
 * What HTTP answers with a 5xx, though the sender is at fault: a transfer coding and a version that the service does
 * not have.
 */
const OF_PROTOCOL = [501, 505]

export interface Figures {
  seed: number
  requests: number
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
  { runs, seed }: { runs: number; seed: number }
): Promise<Figures> {
  const operations = operationsOf(document)
  const given = new Given()
  const judge = judgeOf(document, operations, given, target)
  const tallies = new Map(
    operations.map(({ operationId }) => [operationId, { valid: new Tally(), faulty: new Tally() }])
  )
  const requests = fc.oneof(
    ...operations.flatMap((operation) => [
      validRequestsOf(document, operation, given),
      faultyRequestsOf(document, operation, given)
    ])
  )
  const fault = await firstFault(
    fc.array(requests, { minLength: BATCH, maxLength: BATCH }),
    { runs, seed },
    async (batch) => {
      const faults = await Promise.all(
        batch.map(async (request) => {
          const { reply, fault } = await judge(request)
          const tally = tallies.get(request.operation.operationId)!
          tally[request.fault === undefined ? 'valid' : 'faulty'].add(reply.status)
          return fault
        })
      )
      return faults.find(Boolean)
    }
  )
  hangUp()
  const never = operations.find(({ operationId, success }) => !tallies.get(operationId)!.valid.has(success!))
  return {
    seed,
    requests: runs,
    lines: [...tallies].flatMap(([operationId, { valid, faulty }]) => [
      `${operationId}: valid ${valid}`,
      `${operationId}: with a fault ${faulty}`
    ]),
    fault: fault ?? (never && `no valid request to ${never.operationId} was answered with ${never.success}`)
  }
}

/** Sends valid requests of every operation of the document with some of their bytes changed. */
export async function fuzzBytes (
  document: Document,
  target: Target,
  { runs, seed }: { runs: number; seed: number }
): Promise<Figures> {
  const valid = fc.oneof(
    ...operationsOf(document).map((operation) => validRequestsOf(document, operation, new Given()))
  )
  const tally = new Tally()
  let slowest = 0
  const fault = await firstFault(
    fc.array(mutatedBytes(valid, target), { minLength: BATCH, maxLength: BATCH }),
    { runs, seed },
    async (batch) => {
      const faults = await Promise.all(
        batch.map(async (bytes) => {
          const start = performance.now()
          const text = await sendRaw(target.port, bytes, { end: true })
          const ms = performance.now() - start
          slowest = Math.max(slowest, ms)
          const replies = repliesOf(text)
          for (const { status } of replies) tally.add(status)
          if (replies.length === 0) tally.add('no answer')
          if (ms > PATIENCE) {
            return `an answer took ${Math.round(ms)} ms\n  to ${JSON.stringify(bytes.toString('latin1'))}`
          }
          const wrong = replies
            .map((reply) => {
              if (reply.status === 100) return undefined
              if (reply.status >= 500 && !OF_PROTOCOL.includes(reply.status)) return `the status is ${reply.status}`
              return reply.status >= 400 && reply.body !== '' ? faultOf(reply) : lackOf(reply)
            })
            .find(Boolean)
          return (
            wrong && `${wrong}\n  to ${JSON.stringify(bytes.toString('latin1'))}\n  answer: ${text.slice(0, 1_000)}`
          )
        })
      )
      return faults.find(Boolean)
    }
  )
  return {
    seed,
    requests: runs,
    lines: [`changed bytes: ${tally}`, `slowest answer: ${Math.round(slowest)} ms`],
    fault
  }
}

async function firstFault<Value> (
  values: fc.Arbitrary<Value>,
  { runs, seed }: { runs: number; seed: number },
  faultIn: (value: Value) => Promise<string | undefined>
): Promise<string | undefined> {
  const property = fc.asyncProperty(values, async (value) => {
    const fault = await faultIn(value)
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
