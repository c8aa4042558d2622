#!/usr/bin/env tsx
// Measures the processor time of a request beside other servers: prints a table, and writes it as JSON and as a chart.
import { compare } from './bench/compare.js'
import { optionsOf } from './bench/options.js'
import { runToTheEnd } from './command/run.js'

const options = optionsOf()
await runToTheEnd((lifetime) => compare(lifetime, options))
