import pg from 'pg'
import { StorageUnavailable } from '../../../domain/errors.js'
import { EXIT_TEMPORARY } from '../../../domain/start-refusal.js'
import { refusalOf, type Failure } from '../../connection/refusal.js'

/**
 * Classes of SQLSTATE that mean "not now" (https://www.postgresql.org/docs/current/errcodes-appendix.html): connection
 * lost, transactions in each other's way, resources spent, a lock or an operator in the way, a standby, a fault of the
 * system.
 */
const TEMPORARY = /^(08|25006|25P0[34]|40|53|55P03|57|58)/
const NETWORK = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET)/
/** What the driver says, without a code, of a connection that is gone. */
const GONE = /^(Connection terminated|Client (has encountered a connection error|was closed))/

/** Turns an error of PostgreSQL that means "not now" into StorageUnavailable, and gives any other back as it is. */
export function asFailure (error: unknown): unknown {
  const { code, message } = error as { code?: string; message: string }
  return (code === undefined ? GONE.test(message) : TEMPORARY.test(code) || NETWORK.test(code))
    ? asUnreachable(error)
    : error
}

/** Makes a StorageUnavailable of the error of a connection: whatever its cause, another may be had later. */
export function asUnreachable (error: unknown): StorageUnavailable {
  const { code, message } = error as { code?: string; message: string }
  return new StorageUnavailable(`The database failed: ${[code, message].filter(Boolean).join(' ')}`, { cause: error })
}

/**
 * Whether PostgreSQL undid a transaction because it and another waited for each other: the same work may succeed at
 * once.
 */
export function isCollision (error: unknown): boolean {
  return /^(40001|40P01)$/.test((error as { code?: string } | undefined)?.code ?? '')
}

const FAILURES: Failure[] = [
  [/^(28P01|SASL)/, 'refuses the login. Correct the user or the password in SETTING.'],
  [/^28/, 'does not let this user in. Correct SETTING, or pg_hba.conf there, which may ask for sslmode=require.'],
  [/^3D000/, 'does not exist on that server. Create it, or correct SETTING.'],
  [/^3F000/, 'has no schema for the tables. Correct search_path, in the options of SETTING or of the user.'],
  [/^25006/, 'is read-only: a standby, or default_transaction_read_only. Name the primary in SETTING.', EXIT_TEMPORARY],
  [/^(08P01|0A|22|42601|42704 unrec|XX)/, 'refuses the connection as SETTING asks for it. Correct its parameters.'],
  [
    /^42(701|703|704|P01)/,
    'is damaged: its tables are not those of the version that it says it has. ' +
      'Restore a backup, or give this program an empty database.'
  ],
  [/^42P07/, 'has tables of another program under the names of ours. Give this program a database of its own.'],
  [/^42501/, 'does not give this user the rights it needs. Make the user the owner of the database and its tables.'],
  [/^53300/, 'has too few connections. Each server keeps 10: raise the limit, or start fewer servers.', EXIT_TEMPORARY],
  [/^55P03/, 'has tables that must change and that others use. Start again when their work has ended.', EXIT_TEMPORARY],
  [/^The server does not support SSL/, 'does not speak TLS. Set it up there, or correct sslmode in SETTING.']
]

/**
 * Turns a failure to open the database into a refusal to start, with a sentence that names the database and never the
 * password. Any other error comes back as it is.
 */
export function asRefusal (name: string, error: unknown): unknown {
  const failure = asFailure(error)
  if (!(failure instanceof StorageUnavailable || failure instanceof pg.DatabaseError)) return error
  return refusalOf(`The database ${name}`, 'DATABASE_URL', failure.cause ?? failure, FAILURES)
}
