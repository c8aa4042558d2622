import { StorageUnavailable } from '../../../domain/errors.js'
import { EXIT_TEMPORARY, StartRefusal } from '../../../domain/start-refusal.js'

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

/** What the code, or the text without one, means for the operator. */
const FAILURES: [signs: RegExp, sentence: string, exitCode?: number][] = [
  [/^28P01/, 'refuses the login. Correct the user or the password in DATABASE_URL.'],
  [
    /^28/,
    'does not let this user in from here. Correct the user in DATABASE_URL, or its entry in pg_hba.conf there, ' +
      'which may ask for sslmode=require.'
  ],
  [/^3D000/, 'does not exist on that server. Create it, or correct DATABASE_URL.'],
  [
    /^42(701|703|704|P01)/,
    'is damaged: its tables are not those of the version that it says it has. ' +
      'Restore a backup, or give this program an empty database.'
  ],
  [/^42P07/, 'has tables of another program under the names of ours. Give this program a database of its own.'],
  [/^42501/, 'does not let this user create tables. Make the user its owner.'],
  [
    /^53300/,
    'has no connections left. Each server keeps 10: raise max_connections, or start fewer servers.',
    EXIT_TEMPORARY
  ],
  [
    /^55P03/,
    'has tables that must change and that others are using. Start again when who reads or writes for long has ended.',
    EXIT_TEMPORARY
  ],
  [/^The server does not support SSL/, 'does not speak TLS. Set it up there, or correct sslmode in DATABASE_URL.'],
  [
    /CERT|^ERR_(SSL|TLS)|^UNABLE_TO_|ISSUER|CRL/,
    'shows no TLS certificate that can be trusted. Renew it, or correct sslmode and sslrootcert in DATABASE_URL.'
  ]
]

/**
 * Turns a failure to open the database into a refusal to start, with a sentence that names the database and never the
 * password. Any other error comes back as it is.
 */
export function asRefusal (name: string, error: unknown): unknown {
  if (error instanceof StartRefusal) return error
  const cause = (error instanceof StorageUnavailable && error.cause) || error
  const { code, message } = cause as { code?: string; message: string }
  const sign = code ?? message
  for (const [signs, sentence, exitCode] of FAILURES) {
    if (signs.test(sign)) return new StartRefusal(`The database ${name} ${sentence}`, exitCode, { cause })
  }
  return asFailure(error) instanceof StorageUnavailable
    ? new StartRefusal(
        `The database ${name} cannot be reached. Start its server, or correct DATABASE_URL. (${sign})`,
        EXIT_TEMPORARY,
        { cause }
    )
    : error
}
