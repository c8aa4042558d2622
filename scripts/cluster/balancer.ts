import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { launch, programAt, Server } from './server.js'

const nginx = programAt('nginx', ['/usr/sbin'])

/** Says that nginx is missing on this machine; undefined when it is there. */
export const missingNginx = nginx ? undefined : 'nginx is not installed'

/** How often the servers are asked whether they are ready, in milliseconds. */
const POLL = 100

/** A load balancer that listens. */
export interface Balancer {
  /** `http://127.0.0.1:PORT` */
  root: string
  /** Resolves when exactly `count` servers get requests. */
  serving(count: number): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts nginx as a load balancer before the servers at these ports. A server whose /readyz says that it is not ready
 * gets no further requests.
 */
export async function startBalancer (ports: readonly number[]): Promise<Balancer> {
  let ready = [...ports]
  const server = await Server.start({
    prepare: (folder, port) => writeFileSync(join(folder, 'nginx.conf'), configuration(folder, port, ready)),
    command: (folder) => launch(nginx!, ['-p', folder, '-c', join(folder, 'nginx.conf')]),
    ready: (port) => fetch(`http://127.0.0.1:${port}/healthz`)
  })
  const poll = async (): Promise<void> => {
    const now = await readyOf(ports)
    if (now.length > 0 && now.join() !== ready.join()) {
      ready = now
      writeFileSync(join(server.folder, 'nginx.conf'), configuration(server.folder, server.port, ready))
      server.hangUp()
    }
  }
  let timer: NodeJS.Timeout
  let polling = Promise.resolve()
  const again = (): void => {
    timer = setTimeout(() => {
      polling = poll().finally(again)
    }, POLL)
  }
  again()
  return {
    root: `http://127.0.0.1:${server.port}`,
    async serving (count) {
      while (ready.length !== count) await new Promise((resolve) => setTimeout(resolve, POLL))
    },
    async stop () {
      await polling
      clearTimeout(timer)
      await server.remove()
    }
  }
}

async function readyOf (ports: readonly number[]): Promise<number[]> {
  const states = await Promise.all(
    ports.map(async (port) => {
      try {
        return (await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2_000) })).ok
      } catch {
        return false
      }
    })
  )
  return ports.filter((_, index) => states[index])
}

function configuration (folder: string, port: number, servers: readonly number[]): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n  ')
  return `daemon off;
pid ${folder}/nginx.pid;
error_log stderr error;
worker_processes 1;
events { worker_connections 4096; }
http {
  access_log off;
  ${temporary}
  upstream petstore {
    ${servers.map((server) => `server 127.0.0.1:${server};`).join('\n    ')}
    keepalive 64;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://petstore;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
    }
  }
}
`
}
