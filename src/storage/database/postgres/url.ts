import { StartRefusal } from '../../../domain/start-refusal.js'

/** The parameters that a URL may have, as libpq names them, with their values. */
const SUPPORTED = [
  /^(host|user|password|application_name|options|sslrootcert|sslcert|sslkey)=./s,
  /^port=\d{1,5}$/,
  /^sslmode=(disable|no-verify|require|verify-ca|verify-full)$/
]

/**
 * Reads the URL of a database, and names the database without the password.
 * @throws {StartRefusal} when a parameter is not supported
 */
export function readUrl (text: string): { connectionString: string; name: string } {
  // As in libpq, the parameter `host` may replace the host.
  const url = new URL(text.replace(/^(\w+:\/\/[^/]*@)\//, '$1localhost/'))
  const { searchParams: parameters } = url
  for (const [name, value] of parameters) {
    if (SUPPORTED.some((pattern) => pattern.test(`${name}=${value}`))) continue
    throw new StartRefusal(
      `DATABASE_URL has an unsupported ${name}. Supported are host, port, user, password, application_name, options, ` +
        'sslrootcert, sslcert, sslkey, and an sslmode of disable, no-verify, require, verify-ca or verify-full.'
    )
  }
  const host = parameters.get('host') ?? decodeURIComponent(url.host)
  if (host.includes(',')) throw new StartRefusal('DATABASE_URL has several hosts. Name one that leads to the primary.')
  // The driver verifies the host name in these modes, too, and would warn that libpq does not.
  if (/^(require|verify-ca)$/.test(parameters.get('sslmode')!)) parameters.set('sslmode', 'verify-full')
  return { connectionString: url.href, name: host + url.pathname }
}
