#!/usr/bin/env node
import { surviveBrokenOutput } from './cli/broken-output.js'
import { run } from './cli/program.js'
import { programName } from './cli/terminal/program-name.js'
import { systemClock } from './domain/clock.js'

surviveBrokenOutput(process)
const program = programName(process.argv[1]!, process.cwd())
process.exitCode = await run(process.argv.slice(2), { program, env: process.env, out: process, clock: systemClock })
