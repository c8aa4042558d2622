import t from 'tap'
import type { StartRefusal } from '../../../src/domain/start-refusal.js'
import { asRefusal as asPostgresRefusal, asUnreachable } from '../../../src/storage/database/postgres/failure.js'
import { readUrl } from '../../../src/storage/database/postgres/url.js'
import { asRefusal as asRedisRefusal, RedisFailure } from '../../../src/storage/usage/redis/failure.js'

const errorOf = (code: string, message = 'no'): Error => Object.assign(new Error(message), { code })

t.test('a failed connection exits with 75 where another try may succeed, else with 78', async (t) => {
  for (const [code, exitCode, sentence] of [
    ['ECONNREFUSED', 75, 'cannot be used now'],
    ['ENOTFOUND', 75, 'cannot be used now'],
    ['ETIMEDOUT', 75, 'cannot be used now'],
    ['CERT_HAS_EXPIRED', 78, 'has no trusted TLS certificate'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 78, 'has no trusted TLS certificate'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 78, 'has no trusted TLS certificate'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 78, 'has no trusted TLS certificate'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 78, 'does not complete a TLS handshake'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 78, 'does not complete a TLS handshake']
  ] as const) {
    const refusal = { name: 'StartRefusal', exitCode, message: sentence }
    t.match(asPostgresRefusal('h/d', asUnreachable(errorOf(code))), refusal, code)
    t.match(asRedisRefusal('rediss://h', new RedisFailure(errorOf(code))), refusal, code)
  }
  for (const [message, exitCode, sentence] of [
    ['LOADING Redis is loading the dataset in memory', 75, 'rejects writes now'],
    ["OOM command not allowed when used memory > 'maxmemory'.", 75, 'rejects writes now'],
    ['ERR max number of clients reached', 75, 'cannot be used now'],
    ['MOVED 3999 127.0.0.1:6381', 78, 'is part of a cluster'],
    ['Protocol error, got "H" as reply type byte', 78, 'does not speak the protocol of Redis']
  ] as const) {
    t.match(asRedisRefusal('redis://h', new RedisFailure(new Error(message))), {
      exitCode,
      message: `The Redis h ${sentence}`
    })
  }
  t.type(asPostgresRefusal('h/d', new TypeError('a bug')), TypeError, 'a bug keeps its stack')
})

t.test('a parameter that DATABASE_URL cannot have stops the start, and its value is not repeated', async (t) => {
  for (const [parameter, sentence] of [
    ['sslmode=bogus', 'DATABASE_URL has an unsupported sslmode. Supported are host'],
    ['sslmode=', 'an unsupported sslmode.'],
    ['sslmode=prefer', 'an unsupported sslmode.'],
    ['port=abc', 'an unsupported port.'],
    ['target_session_attrs=read-write', 'an unsupported target_session_attrs.'],
    ['statement_timeout=secret', 'an unsupported statement_timeout.'],
    ['host=one,other', 'DATABASE_URL has several hosts. Name one that leads to the primary.']
  ] as const) {
    try {
      t.fail(readUrl(`postgres://u:secret@h/d?application_name=a&${parameter}`).name)
    } catch (error) {
      t.match(error, { name: 'StartRefusal', exitCode: 78, message: sentence }, parameter)
      t.notMatch((error as StartRefusal).message, 'secret')
    }
  }
})

t.test('the name of a database is its place, without what is secret', async (t) => {
  for (const [url, name] of [
    ['postgres://u:secret@[::1]:6432/d?sslmode=require', '[::1]:6432/d'],
    ['postgres://u:secret@%2Fvar%2Frun%2Fpostgresql:5433/d', '/var/run/postgresql:5433/d'],
    ['postgresql://u:secret@/d?host=/var/run/postgresql', '/var/run/postgresql/d'],
    ['postgres:///d?host=/tmp&user=u&password=secret', '/tmp/d']
  ] as const) {
    t.equal(readUrl(url).name, name)
  }
})
