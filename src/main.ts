#!/usr/bin/env node
import { surviveBrokenOutput } from './cli/broken-output.js'
import { run } from './cli/program.js'
import { systemClock } from './domain/clock.js'

surviveBrokenOutput(process)
process.exitCode = await run(process.argv.slice(2), { env: process.env, out: process, clock: systemClock })
