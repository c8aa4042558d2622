import { StorageUnavailable } from '../domain/errors.js'
import { EXIT_TEMPORARY, StartRefusal } from '../domain/start-refusal.js'

/**
 * Classes of SQLSTATE that mean "not now" (https://www.postgresql.org/docs/current/errcodes-appendix.html): connection lost or refused,
 * login refused, transactions in each other's way, resources spent, a lock or an operator in the way, a standby, a fault of the system.
 */
const TEMPORARY = /^(08|25006|25P0[34]|28|3D000|40|53|55P03|57|58)/
const NETWORK = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|EHOST|ENET)/
/** What the driver says, without a code, of a connection that is gone or was not to be had. */
const GONE = /^(Connection terminated|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed)|Cannot use a pool after)/

/** An error of PostgreSQL or of the way to it that means "not now" as StorageUnavailable; any other error as it is. */
export function asFailure (error: unknown): unknown {
  const { code, message } = error as { code?: string, message: string }
  const temporary = code === undefined ? GONE.test(message) : TEMPORARY.test(code) || NETWORK.test(code)
  return temporary ? new StorageUnavailable(`The database failed: ${[code, message].filter(Boolean).join(' ')}`, { cause: error }) : error
}

/** Whether this failure is that PostgreSQL undid a transaction because it and another waited for each other: the same work may succeed at once. */
export function isCollision (failure: unknown): boolean {
  return failure instanceof StorageUnavailable && /^(40001|40P01)$/.test((failure.cause as { code?: string } | undefined)?.code ?? '')
}

/** What the codes mean for the operator. */
const FAILURES: [codes: RegExp, sentence: string, exitCode?: number][] = [
  [/^28/, 'refuses the login. Correct the user or the password in DATABASE_URL.'],
  [/^3D000/, 'does not exist on that server. Create it, or correct DATABASE_URL.'],
  [/^42P07/, 'has tables of another program under the names of ours. Give this program a database of its own.'],
  [/^42501/, 'does not let this user create tables. Make the user its owner.'],
  [/./, 'cannot be reached. Start its server, or correct DATABASE_URL.', EXIT_TEMPORARY]
]

/** A sentence for a failure to open the database; it names the database, and never the password. */
export function asRefusal (name: string, error: unknown): unknown {
  if (error instanceof StartRefusal) return error
  const cause = error instanceof StorageUnavailable ? error.cause : error
  const { code = '', message } = cause as { code?: string, message: string }
  const known = FAILURES.slice(0, -1).find(([codes]) => codes.test(code))
  if (!known && !(asFailure(cause) instanceof StorageUnavailable)) return error
  const [, sentence, exitCode] = known ?? FAILURES.at(-1)!
  return new StartRefusal(`The database ${name} ${sentence}${known ? '' : ` (${code || message})`}`, exitCode, { cause })
}
