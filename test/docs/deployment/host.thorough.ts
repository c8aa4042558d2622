import { ok } from 'node:assert/strict'
import { execFile, execFileSync, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { MAIN, nodeCommand, startProgram } from '../../../scripts/cluster/program.js'
import { eventually, freePort, launch, programAt, Server } from '../../../scripts/cluster/server.js'
import { temporaryFolder } from '../../../scripts/command/lifetime.js'
import { ROOT } from '../../support/documents.js'
import { leaveOut } from '../../support/leave-out.js'

const folder = join(ROOT, 'docs/deployment')
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
const run = promisify(execFile)

t.test('systemd finds no fault in the units, and lets them do little', async (t) => {
  const systemd = programAt('systemd-analyze')
  if (!systemd) return leaveOut(t, 'systemd is not installed')
  const units = ['petstore.service', 'petstore-backup.service']
  for (const unit of units) {
    const { stdout } = await run(systemd, ['security', '--offline=true', join(folder, unit)])
    const score = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)![1])
    t.comment(`${unit}: exposure level ${score}`)
    t.ok(score <= 1.5, 'of 10')
  }
  const all = [...units, 'petstore-backup.timer'].map((unit) => join(folder, unit))
  const { stderr } = await run(systemd, ['verify', ...all]).catch((error: { stderr: string }) => error)
  // It fails where Node is elsewhere than on Debian.
  t.same(stderr.split('\n').filter((line) => line !== '' && !line.includes('/usr/bin/node')), [])
})

t.test('the unit of the backup copies the database of the service, as its user', async (t) => {
  const settings = (name: string, unit: string) =>
    [...read(unit).matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!)
  for (const name of ['Environment', 'EnvironmentFile', 'WorkingDirectory', 'DynamicUser', 'StateDirectoryMode', 'UMask']) {
    t.same(settings(name, 'petstore-backup.service'), settings(name, 'petstore.service'), name)
  }
  t.same(settings('User', 'petstore-backup.service'), ['petstore'], 'as systemd names the user of petstore.service')
  const [command] = settings('ExecStart', 'petstore-backup.service')
  const [, target] = /backup (\S+) --keep/.exec(command!)!
  const [state] = settings('StateDirectory', 'petstore-backup.service')
  t.ok(state!.split(' ').some((name) => `/var/lib/${name}` === target), 'it may write there')
  t.ok(read('petstore-backup.service').includes(`BACKUP_PATH=${target} `), 'where the metrics look for it')
})

t.test('logrotate rotates the log of a running service, which goes on into the same file', async (t) => {
  const logrotate = programAt('logrotate', ['/usr/sbin'])
  if (!logrotate) return leaveOut(t, 'logrotate is not installed')
  const folder = await temporaryFolder(t)
  const log = join(folder, 'petstore.log')
  const file = openSync(log, 'a')
  const port = await freePort()
  const database = { DATABASE_URL: `sqlite:${join(folder, 'petstore.db')}` }
  const service = await Server.start({
    command: () => {
      const child = spawn(...nodeCommand([MAIN]), {
        env: { ...process.env, ...database, PORT: String(port) },
        stdio: ['ignore', file, 'pipe']
      })
      closeSync(file)
      return child
    },
    ready: () => fetch(`http://127.0.0.1:${port}/healthz`)
  })
  t.teardown(() => service.remove())
  const lines = (name: string) => readFileSync(join(folder, name), 'utf8').trim().split('\n')
  const call = async (path: string) => {
    await fetch(`http://127.0.0.1:${port}${path}`)
    await eventually(async () => ok(lines('petstore.log').some((line) => line.includes(`"${path}"`))))
  }
  await call('/v1/before')
  writeFileSync(join(folder, 'config'), read('petstore.logrotate').replace('/var/log/petstore/*.log', log), { mode: 0o600 })
  await run(logrotate, ['--force', '--state', join(folder, 'state'), join(folder, 'config')])
  await call('/v1/after')
  t.match(lines('petstore.log.1').join('\n'), '"/v1/before"')
  const after = lines('petstore.log').map((line) => JSON.parse(line).path)
  t.ok(after.includes('/v1/after') && !after.includes('/v1/before'), 'whole lines, and only the new ones')
})

t.test('with the example of nginx, the service is reached by TLS, and knows the address of its caller', async (t) => {
  const [nginx, openssl] = [programAt('nginx', ['/usr/sbin']), programAt('openssl')]
  if (!nginx || !openssl) return leaveOut(t, 'nginx or openssl is not installed')
  const database = { DATABASE_URL: `sqlite:${join(t.testdir(), 'petstore.db')}` }
  const service = await startProgram(t, { ...database, TRUST_PROXY: '127.0.0.1' })
  const tls = await freePort()
  const server = await Server.start({
    prepare (at) {
      const [key, certificate] = [join(at, 'key'), join(at, 'certificate')]
      const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost']
      execFileSync(openssl, [...made, '-keyout', key, '-out', certificate], { stdio: 'pipe' })
      const example = read('nginx.conf')
        .replace('listen 443', `listen 127.0.0.1:${tls}`)
        .replace('/etc/ssl/petstore.pem', certificate)
        .replace('/etc/ssl/petstore.key', key)
        .replace('server 127.0.0.1:3000', `server ${new URL(service.root).host}`)
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${at}/${name};`)
      const around = `daemon off; pid ${at}/pid; error_log stderr; events {} http { ${paths.join(' ')}`
      writeFileSync(join(at, 'nginx.conf'), `${around}\n${example}\n}`)
    },
    command: (at) => launch(nginx, ['-p', at, '-c', join(at, 'nginx.conf')]),
    ready: () => run('curl', ['--silent', '--insecure', `https://127.0.0.1:${tls}/healthz`])
  })
  t.teardown(() => server.remove())
  const curl = async (path: string, ...more: string[]): Promise<string> =>
    (await run('curl', ['--silent', '--insecure', '--include', ...more, `https://127.0.0.1:${tls}${path}`])).stdout
  t.match(await curl('/v1/pets', '--header', 'X-Forwarded-For: 192.0.2.7'), /^HTTP\/1\.1 401 [^]*"code":"unauthorized"/)
  t.match(await curl('/readyz'), /^HTTP\/1\.1 404 /)
  const forged = ['X-Forwarded-Proto: javascript', 'X-Forwarded-Host: evil.example'].flatMap((one) => ['--header', one])
  const guide = await curl('/guide', ...forged)
  t.ok(guide.includes(`https://127.0.0.1:${tls}/v1/pets`), 'the guide shows the address that was called')
  t.notMatch(guide, /javascript:|evil|http:\/\//)
  t.equal(await service.stop(), 0)
  const line = service.stdout().split('\n').find((text) => text.includes('"status":401'))!
  t.equal(JSON.parse(line).address, '127.0.0.1', 'what the client says of its address is not believed')
})
