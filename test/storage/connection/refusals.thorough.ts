import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ask, PASSWORD, startPostgres } from '../../../scripts/cluster/postgres.js'
import { runProgram, startProgram } from '../../../scripts/cluster/program.js'
import { startRedis, tell } from '../../../scripts/cluster/redis.js'
import { freePort, programAt } from '../../../scripts/cluster/server.js'
import { ordinaryUser } from '../../../scripts/cluster/user.js'
import { MIGRATIONS } from '../../../src/storage/database/migrations.js'
import { openPostgres } from '../../../src/storage/database/postgres/postgres.js'
import { openCounters } from '../../../src/storage/usage/open.js'
import { emptyPostgres, migratedPostgres, missingScaled, openedPostgres } from '../../support/databases.js'
import { leaveOut } from '../../support/leave-out.js'

const missing = missingScaled ?? (programAt('openssl') ? undefined : 'openssl is not installed')

type Wanted = [what: string, url: string, exitCode: number, sentence: string | RegExp]

t.test('what cannot be connected to is refused with a sentence, an exit code, and no password', async (t) => {
  if (missing) return leaveOut(t, missing)
  const folder = certificates(t)
  const tlsPort = await freePort()
  const tlsFiles = Object.entries({ 'ca-cert': 'ca.cert', cert: 'good.cert', key: 'good.key' }).flatMap(
    ([part, file]) => [`--tls-${part}-file`, join(folder, file)]
  )
  const [socketed, withTls, redis, guarded, replica, cluster] = await Promise.all([
    startPostgres({ settings: [`unix_socket_directories=${folder}`] }),
    startPostgres({
      settings: ['ssl=on', `ssl_cert_file=${join(folder, 'good.cert')}`, `ssl_key_file=${join(folder, 'good.key')}`]
    }),
    startRedis({ settings: ['--tls-port', String(tlsPort), '--tls-auth-clients', 'no', ...tlsFiles] }),
    startRedis({ password: PASSWORD }),
    startRedis({ settings: ['--replicaof', '127.0.0.1', '1'] }),
    startRedis({ settings: ['--cluster-enabled', 'yes'] })
  ])
  const started = [socketed, withTls, redis, guarded, replica, cluster]
  t.teardown(() => Promise.all(started.map(({ server }) => server.remove())))
  const nobody = await freePort()
  const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1')
  const closing = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  t.teardown(() => [silent, closing].map((server) => server.close()))
  const portOf = (server: typeof silent) => (server.address() as AddressInfo).port

  await t.test('PostgreSQL', async (t) => {
    const url = await socketed.createDatabase()
    const name = new URL(url).pathname
    const tls = await withTls.createDatabase()
    const [newer, narrow, foreign, readOnly] = await Promise.all(Array.from({ length: 4 }, () => emptyPostgres()))
    await openPostgres(newer!).then((database) => database.close())
    await ask(newer!, 'INSERT INTO petstore_migrations (version) VALUES (998), (999)')
    const as = (user: string, url: string) => url.replace('petstore:', `${user}:`)
    const databaseOf = (url: string) => new URL(url).pathname.slice(1)
    await ask(
      narrow!,
      `ALTER DATABASE ${databaseOf(narrow!)} CONNECTION LIMIT 3; CREATE ROLE anybody LOGIN PASSWORD '${PASSWORD}';
       GRANT CREATE ON SCHEMA public TO anybody; CREATE ROLE reader LOGIN PASSWORD '${PASSWORD}'`
    )
    await openPostgres(foreign!).then((database) => database.close())
    await ask(foreign!, 'GRANT CREATE ON SCHEMA public TO reader')
    await ask(foreign!, 'GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader')
    await ask(readOnly!, `ALTER DATABASE ${databaseOf(readOnly!)} SET default_transaction_read_only = on`)
    const elsewhere = tls.replace('127.0.0.1', 'localhost')
    const ca = `sslmode=verify-full&sslrootcert=${folder}/ca.cert`
    const wrongKey = `sslcert=${folder}/good.cert&sslkey=${folder}/ca.key`
    const wanted: Wanted[] = [
      [
        'no server',
        `postgres://u:${PASSWORD}@127.0.0.1:${nobody}/d`,
        75,
        `The database 127.0.0.1:${nobody}/d cannot be used now. Make sure that it runs and DATABASE_URL has the ` +
          `right host, port and TLS. (connect ECONNREFUSED 127.0.0.1:${nobody})`
      ],
      ['no such host', `postgres://u:${PASSWORD}@nowhere.invalid/d`, 75, /now\. .*(ENOTFOUND|EAI_AGAIN)/],
      ['no socket', `postgres://u:${PASSWORD}@%2Fnowhere/d`, 75, 'The database /nowhere/d cannot be used now.'],
      ['a silent server', `postgres://u:${PASSWORD}@127.0.0.1:${portOf(silent)}/d`, 75, 'cannot be used now'],
      ['a server that closes', `postgres://u:${PASSWORD}@127.0.0.1:${portOf(closing)}/d`, 75, 'cannot be used now'],
      ['a Redis', `postgres://u:${PASSWORD}@127.0.0.1:${redis.server.port}/d`, 75, 'cannot be used now'],
      ['no such database', url.replace(name, '/nowhere'), 78, 'nowhere does not exist on that server. Create it'],
      ['a wrong password', url.replace(PASSWORD, `${PASSWORD}2`), 78, 'refuses the login. Correct the user'],
      ['no password', url.replace(`:${PASSWORD}`, ''), 78, 'refuses the login. Correct the user'],
      ['no user', url.replace(`petstore:${PASSWORD}@`, ''), 78, 'does not let this user in. Correct DATABASE_URL'],
      ['too few connections', as('anybody', narrow!), 75, 'has too few connections. Each server keeps 10'],
      ['no right to create tables', as('reader', narrow!), 78, 'does not give this user the rights it needs.'],
      ['no right to write', as('reader', foreign!), 78, 'does not give this user the rights it needs.'],
      ['read-only transactions', readOnly!, 75, 'is read-only: a standby, or default_transaction_read_only.'],
      ['a newer schema', newer!, 78, `version ${MIGRATIONS.length + 2}; this program knows up to ${MIGRATIONS.length}`],
      ['no schema', `${url}?options=-c%20search_path%3Dmissing`, 78, 'has no schema for the tables.'],
      ['a wrong option', `${url}?options=-c%20work_mem%3Da`, 78, 'refuses the connection as DATABASE_URL asks for it'],
      ['an unknown option', `${url}?options=-c%20typo%3D1`, 78, 'refuses the connection as DATABASE_URL asks for it'],
      ['an unknown sslmode', `${url}?sslmode=bogus`, 78, 'DATABASE_URL has an unsupported sslmode.'],
      ['no TLS', `${url}?sslmode=require`, 78, 'does not speak TLS. Set it up there, or correct sslmode'],
      ['an untrusted certificate', `${tls}?sslmode=require`, 78, 'has no trusted TLS certificate for this host.'],
      ['a certificate of another host', `${elsewhere}?${ca}`, 78, 'has no trusted TLS certificate for this host.'],
      ['a CA file that is missing', `${tls}?${ca}.missing`, 78, 'needs a certificate or key file that'],
      ['a folder as CA file', `${tls}?sslrootcert=${folder}`, 78, 'needs a certificate or key file that'],
      ['a key of another certificate', `${tls}?${ca}&${wrongKey}`, 78, 'needs a certificate and its key, in PEM']
    ]
    for (const one of wanted) await refusedOf(t, one, () => openPostgres(one[1], { deadline: 3_000 }))

    const keys = (url: string, environment = {}) => runProgram(['keys', 'list'], { DATABASE_URL: url, ...environment })
    const ended = await keys(url.replace(PASSWORD, `${PASSWORD}2`))
    t.match(ended, { code: 78, stdout: '', stderr: /^petstore: The database .* refuses the login\. .*\n$/ })
    const socket = folder.replaceAll('/', '%2F')
    for (const [what, form, environment] of [
      ['a socket as host', url.replace('127.0.0.1', socket)],
      ['a socket as parameter', `postgres://petstore:${PASSWORD}@${name}?host=${folder}&port=${socketed.server.port}`],
      ['a CA by sslrootcert', `${tls}?${ca}`],
      ['a CA by NODE_EXTRA_CA_CERTS', `${tls}?sslmode=require`, { NODE_EXTRA_CA_CERTS: join(folder, 'ca.cert') }],
      ['TLS without a check', `${tls}?sslmode=no-verify`]
    ] as const) {
      t.match(await keys(form, environment), { code: 0, stderr: '' }, what)
    }
  })

  await t.test('Redis', async (t) => {
    const databaseUrl = await migratedPostgres()
    const database = await openedPostgres(t, databaseUrl)
    await tell(guarded.url, 'ACL', 'SETUSER', 'weak', 'on', `>${PASSWORD}`, '~*', '+@all', '-@scripting')
    await tell(guarded.url, 'ACL', 'SETUSER', 'elsewhere', 'on', `>${PASSWORD}`, '~app:*', '+@all')
    const at = (port: number, credentials = '') => `redis://${credentials}127.0.0.1:${port}`
    const behind = (credentials: string) => at(guarded.server.port, `${credentials}@`)
    const tls = at(tlsPort).replace('redis', 'rediss')
    const wanted: Wanted[] = [
      ['no server', at(nobody, `:${PASSWORD}@`), 75, `The Redis 127.0.0.1:${nobody} cannot be used now. Make sure`],
      ['no such host', 'redis://nowhere.invalid', 75, 'cannot be used now'],
      ['a silent server', at(portOf(silent)), 75, 'cannot be used now'],
      ['a server that closes', at(portOf(closing)), 75, 'cannot be used now'],
      ['TLS where there is none', at(guarded.server.port).replace('redis', 'rediss'), 75, 'cannot be used now'],
      ['no TLS where there is some', at(tlsPort), 75, 'cannot be used now'],
      ['an untrusted certificate', tls, 78, 'has no trusted TLS certificate'],
      ['no password', at(guarded.server.port), 78, 'refuses the login. Correct the user or the password in REDIS_URL.'],
      ['a wrong password', behind(`:${PASSWORD}2`), 78, 'refuses the login.'],
      ['no right to run scripts', behind(`weak:${PASSWORD}`), 78, 'does not let this user run scripts and INFO on'],
      ['no right to the keys', behind(`elsewhere:${PASSWORD}`), 78, 'does not let this user run scripts and INFO on'],
      ['no such database', `${redis.url}/99`, 78, 'has no database of that number. Correct REDIS_URL.'],
      ['a replica', replica.url, 75, 'is a read-only replica. Name the primary in REDIS_URL.'],
      ['a cluster without slots', cluster.url, 75, 'rejects writes now.'],
      ['a database of a cluster', `${cluster.url}/1`, 78, 'is part of a cluster.']
    ]
    for (const one of wanted) {
      await refusedOf(t, one, () => openCounters(database, { redisUrl: one[1], onChange: () => {} }))
    }

    const environment = {
      DATABASE_URL: databaseUrl,
      REDIS_URL: tls,
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.cert')
    }
    t.match((await startProgram(t, environment)).root, 'http', 'a CA by NODE_EXTRA_CA_CERTS')
    const untrusting = { ...environment, NODE_EXTRA_CA_CERTS: '', PORT: '0' }
    const ended = await runProgram(['serve'], untrusting)
    t.match(ended, { code: 78, stderr: /^petstore: The Redis .* has no trusted TLS certificate .*\n$/ })
  })
})

async function refusedOf (t: Test, [what, , exitCode, message]: Wanted, open: () => Promise<unknown>): Promise<void> {
  const refusal = await open().then(
    () => new Error('It was opened.'),
    (error: Error) => error
  )
  t.match(refusal, { name: 'StartRefusal', exitCode, message }, what)
  t.notMatch(refusal.message, PASSWORD, what)
}

/** A folder with a CA and a certificate for 127.0.0.1, which PostgreSQL can read. */
function certificates (t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-tls-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const openssl = (command: string) => execFileSync('sh', ['-c', `openssl ${command}`], { cwd: folder, stdio: 'pipe' })
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'
  openssl(`req -x509 ${key} -keyout ca.key -out ca.cert -subj /CN=CA`)
  const extension = '-addext subjectAltName=IP:127.0.0.1'
  openssl(`req -x509 ${key} -keyout good.key -out good.cert -subj /CN=good -CA ca.cert -CAkey ca.key ${extension}`)
  const { uid, gid } = ordinaryUser
  for (const path of ['', 'good.key', 'good.cert']) {
    if (uid !== undefined) chownSync(join(folder, path), uid, gid!)
  }
  chmodSync(join(folder, 'good.key'), 0o600)
  return folder
}
