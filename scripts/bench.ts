#!/usr/bin/env tsx
// Measures the processor time of a request beside other servers, or how the service bears what grows.
import { compare } from './bench/compare.js'
import { optionsOf } from './bench/options.js'
import { scale } from './bench/scale/scale.js'
import { runToTheEnd } from './command/run.js'

const options = optionsOf()
const measureAll = options.scale.length > 0 ? scale : compare
await runToTheEnd((lifetime) => measureAll(lifetime, options))
