import { EXIT_TEMPORARY, StartRefusal } from '../../../domain/start-refusal.js'

/** Redis cannot be asked, or does not do what it is asked. */
export class RedisFailure extends Error {
  override readonly name = 'RedisFailure'

  constructor (cause: Error & { code?: string }) {
    super([cause.code, cause.message].filter(Boolean).join(' '), { cause })
  }
}

/** What the words of Redis mean for the operator. */
const FAILURES: [words: RegExp, sentence: string][] = [
  [
    /^(WRONGPASS|NOAUTH)|without any password|invalid.*password/i,
    'refuses the login. Correct the user or the password in REDIS_URL.'
  ],
  [/DB index is out of range/, 'has no database of that number. Correct REDIS_URL.'],
  [
    /NOPERM|can't run this command/,
    'does not let this user run scripts and INFO. Let it, or correct the user in REDIS_URL.'
  ]
]

/**
 * Turns a failure of Redis into a refusal to start, with a sentence that names the host and never the password. Any
 * other error comes back as it is.
 */
export function asRefusal (url: string, error: unknown): unknown {
  if (!(error instanceof RedisFailure)) return error
  const { host } = new URL(url)
  const { message, code = message } = error.cause as Error & { code?: string }
  const known = FAILURES.find(([words]) => words.test(message))
  if (known) return new StartRefusal(`The Redis ${host} ${known[1]}`)
  return new StartRefusal(`The Redis ${host} cannot be used (${code}). Start it, or correct REDIS_URL.`, EXIT_TEMPORARY)
}
