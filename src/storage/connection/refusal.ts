import { EXIT_TEMPORARY, StartRefusal } from '../../domain/start-refusal.js'

/** Signs of a failure in the code and message of an error, what the operator can do, and an exit code other than 78. */
export type Failure = [signs: RegExp, sentence: string, exitCode?: number]

/** Failures to connect to any server. SETTING stands for the name of the setting that has its URL. */
const FAILURES: Failure[] = [
  [/^(EISDIR|E\w+ .*, open )/, 'needs a certificate or key file that cannot be read. Correct its path in SETTING.'],
  [/^ERR_OSSL_/, 'needs a certificate and its key, in PEM format. Correct sslcert and sslkey in SETTING.'],
  [/^(ERR_SSL_|EPROTO)/, 'does not complete a TLS handshake. Correct the port or the TLS settings, here or there.'],
  [
    /^\w*(CERT|CRL|ISSUER|PURPOSE|SIGNATURE)/,
    'has no trusted TLS certificate for this host. Renew it, name its CA in NODE_EXTRA_CA_CERTS, or correct SETTING.'
  ],
  [/^/, 'cannot be used now. Make sure that it runs and SETTING has the right host, port and TLS.', EXIT_TEMPORARY]
]

/** Turns a failure to connect into a refusal to start, by the first sentence whose signs match. */
export function refusalOf (server: string, setting: string, cause: unknown, failures: Failure[]): StartRefusal {
  const { code = '', message } = cause as { code?: string; message: string }
  const text = `${code} ${message}`.trim()
  const [, sentence, exitCode] = [...failures, ...FAILURES].find(([signs]) => signs.test(text))!
  const reason = message.includes(code) ? message : text
  return new StartRefusal(`${server} ${sentence.replace('SETTING', setting)} (${reason})`, exitCode, { cause })
}
