import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Lifetime } from '../../command/lifetime.js'
import type { Dataset } from '../load/dataset.js'
import { versionOf, type Cores } from '../machine.js'
import { PEERS_FOLDER } from './peers.js'
import type { Measured } from '../rounds.js'
import { startServer } from './server.js'
import type { Answering } from '../load/workloads.js'

/** A server that is measured. */
export interface Target extends Measured<TargetName> {
  answering: Answering
}

/** All that can be measured, in the order of the tables, and what each is. */
export const TARGETS = {
  ours: 'this service: the built program, SQLite on disk, log to a file',
  metrics: 'this service with METRICS_PORT, only with --metrics',
  bare: 'node:http with a constant body',
  bareH: 'node:http with a constant body and the headers of this service: the limit',
  fastify: 'Fastify with a constant body',
  fastifyH: 'Fastify with a constant body and the headers of this service: the limit of a Fastify app',
  glue: 'fastify-openapi-glue, from memory',
  'glue-sqlite': 'fastify-openapi-glue over SQLite, each commit on disk, without limits',
  express: 'Express 5 with express-openapi-validator, from memory',
  backend: 'openapi-backend on node:http, from memory'
}

/** The name of a server that is measured. */
export type TargetName = keyof typeof TARGETS

/** Those that need packages of their own. */
export const PEERS = ['glue', 'glue-sqlite', 'express', 'backend'] as const satisfies TargetName[]

const DOCUMENT = fileURLToPath(new URL('../../../openapi/petstore.yaml', import.meta.url))
const yardstick = (name: string) => [
  '--import',
  'tsx',
  fileURLToPath(new URL(`../yardsticks/${name}.ts`, import.meta.url))
]

/** Starts those of the yardsticks and peers that are asked for; the service is running. */
export async function startTargets (
  lifetime: Lifetime,
  cores: Cores,
  names: readonly TargetName[],
  { folder, dataset, key }: { folder: string; dataset: Dataset; key: string }
): Promise<Target[]> {
  const answers = join(folder, 'answers.json')
  const pets = join(folder, 'pets.json')
  await writeFile(answers, JSON.stringify(dataset.answers))
  await writeFile(pets, `[${dataset.pets.map(({ body }) => body).join()}]`)
  const constant = { BENCH_ANSWERS: answers }
  const memory = { BENCH_DOCUMENT: DOCUMENT, BENCH_PETS: pets, BENCH_KEY: key, BENCH_DATABASE: join(folder, 'peer.db') }
  const targets: Target[] = []
  for (const name of names.filter((name) => name !== 'ours' && name !== 'metrics')) {
    const isPeer = PEERS.some((peer) => peer === name)
    const server = await startServer(lifetime, cores, {
      name,
      args: isPeer ? [`${PEERS_FOLDER}${name}.js`] : yardstick(name.startsWith('fastify') ? 'fastify' : 'constant'),
      environment: isPeer ? memory : { ...constant, BENCH_HEADERS: name.endsWith('H') ? 'all' : 'least' }
    })
    targets.push({ name, servers: [server], answering: isPeer ? 'real' : 'constant' })
  }
  return targets
}

/** The versions of what is measured. */
export function versionsOf (names: readonly TargetName[]): Record<string, string | undefined> {
  const peer = (name: string) => versionOf(name, 'scripts/bench/peers')
  return {
    node: process.versions.node,
    fastify: versionOf('fastify'),
    ...((names.includes('glue') || names.includes('glue-sqlite')) && { 'fastify-openapi-glue': peer('fastify-openapi-glue') }),
    ...(names.includes('express') && {
      express: peer('express'),
      'express-openapi-validator': peer('express-openapi-validator')
    }),
    ...(names.includes('backend') && { 'openapi-backend': peer('openapi-backend') })
  }
}
