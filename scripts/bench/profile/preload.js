// Loaded by Node before the program that is profiled: begins a CPU profile at SIGUSR2 and writes it when the process
// ends. It begins that late since V8 gives names only to those functions of native modules that are there already.
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'

const MICROSECONDS_BETWEEN_SAMPLES = 250

process.once('SIGUSR2', () => {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.setSamplingInterval', { interval: MICROSECONDS_BETWEEN_SAMPLES })
  session.post('Profiler.start')
  process.once('exit', () => {
    session.post('Profiler.stop', (error, result) => {
      if (error) throw error
      writeFileSync(process.env.BENCH_PROFILE, JSON.stringify(result.profile))
    })
  })
})
