#!/usr/bin/env node
import { run } from './cli/program.js'
import { systemClock } from './domain/clock.js'

process.exitCode = await run(process.argv.slice(2), { env: process.env, out: process, clock: systemClock })
