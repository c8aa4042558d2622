import { EXIT_TEMPORARY } from '../../../domain/start-refusal.js'
import { refusalOf, type Failure } from '../../connection/refusal.js'

/** Redis cannot be asked, or does not do what it is asked. */
export class RedisFailure extends Error {
  override readonly name = 'RedisFailure'

  constructor (cause: Error & { code?: string }) {
    super([cause.code, cause.message].filter(Boolean).join(' '), { cause })
  }
}

const FAILURES: Failure[] = [
  [
    /^(WRONGPASS|NOAUTH)|without any password|invalid.*password/i,
    'refuses the login. Correct the user or the password in SETTING.'
  ],
  [/DB index is out of range/, 'has no database of that number. Correct SETTING.'],
  [
    /^NOPERM|can't run this command/,
    'does not let this user run scripts and INFO on the keys petstore:*. Let it, or correct the user in SETTING.'
  ],
  [/^READONLY/, 'is a read-only replica. Name the primary in SETTING.', EXIT_TEMPORARY],
  [/^(MOVED|ASK) |cluster mode/, 'is part of a cluster. Name a Redis in SETTING that is not.'],
  [/^(BUSY|CLUSTERDOWN|LOADING|MASTERDOWN|MISCONF|NOREPLICAS|OOM)/, 'rejects writes now.', EXIT_TEMPORARY],
  [/^(Protocol error|ERR unknown command)/, 'does not speak the protocol of Redis. Correct the port in SETTING.']
]

/**
 * Turns a failure of Redis into a refusal to start, with a sentence that names the host and never the password. Any
 * other error comes back as it is.
 */
export function asRefusal (url: string, error: unknown): unknown {
  if (!(error instanceof RedisFailure)) return error
  return refusalOf(`The Redis ${new URL(url).host}`, 'REDIS_URL', error.cause, FAILURES)
}
