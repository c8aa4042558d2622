import { execFile, execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { startProgram } from '../../../scripts/cluster/program.js'
import { freePort, launch, programAt, Server } from '../../../scripts/cluster/server.js'
import { ROOT } from '../../support/documents.js'
import { leaveOut } from '../../support/leave-out.js'

const folder = join(ROOT, 'docs/deployment')
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
const run = promisify(execFile)

t.test('systemd finds no fault in the unit, and lets it do little', async (t) => {
  const systemd = programAt('systemd-analyze')
  if (!systemd) return leaveOut(t, 'systemd is not installed')
  const { stdout } = await run(systemd, ['security', '--offline=true', join(folder, 'petstore.service')])
  const score = Number(/Overall exposure level for petstore\.service: ([\d.]+)/.exec(stdout)![1])
  t.comment(`exposure level ${score}`)
  t.ok(score <= 1.5, 'of 10')
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
  t.equal(await service.stop(), 0)
  const line = service.stdout().split('\n').find((text) => text.includes('"status":401'))!
  t.equal(JSON.parse(line).address, '127.0.0.1', 'what the client says of its address is not believed')
})
