import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { parse } from 'yaml'
import { startProgram } from '../../scripts/cluster/program.js'
import { freePort, launch, programAt, Server } from '../../scripts/cluster/server.js'
import { SETTINGS, readConfig, checkServing } from '../../src/config.js'
import { leaveOut } from '../support/leave-out.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'docs/deployment')
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

t.test('the container file copies what is there, and what the program needs', async (t) => {
  const text = read('Containerfile')
  const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names]) => names!.split(' '))
  for (const name of copied) t.ok(existsSync(join(root, name)), name)
  const taken = [...text.matchAll(/^COPY --from=build \/petstore\/(\S+)/gm)].map(([, name]) => name)
  t.same(taken.sort(), ['dist', 'generated', 'node_modules', 'openapi/petstore.yaml', 'package.json'])
  const environment = Object.fromEntries([...text.match(/^ENV (.+)$/m)![1]!.matchAll(/(\S+?)=(\S+)/g)].map(([, a, b]) => [a, b]))
  t.match(readConfig(environment), { HOST: '0.0.0.0', PORT: 3000 })
  t.match(text, /^USER node$/m)
})

t.test('the settings in the composition are those of the program, and can be served', async (t) => {
  const { services } = parse(read('compose.yaml')) as {
    services: Record<string, { environment: Record<string, string>; read_only?: boolean; depends_on?: object }>
  }
  const environment = Object.fromEntries(
    Object.entries(services.petstore!.environment).map(([name, text]) => [name, text.replace(/\$\{[^}]+\}/g, 'secret')])
  )
  for (const name of Object.keys(environment)) t.ok(name in SETTINGS, name)
  const config = readConfig(environment)
  checkServing(config)
  t.equal(services.petstore!.read_only, true)
  for (const name of Object.keys(services.petstore!.depends_on!)) t.ok(name in services, name)
})
