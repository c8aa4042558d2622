import t from 'tap'
import { fuzzBytes, fuzzOperations } from '../../scripts/fuzz/fuzz.js'
import { document, startService } from '../support/service.js'

/** `npm run fuzz` sends ten times as many. */
const RUNS = 2_000
/** Another one each time; a failure prints it, and `npm run fuzz -- --seed` takes it. */
const seed = Date.now() % 2 ** 31

for (const [title, fuzz] of [
  ['requests made from the document', fuzzOperations],
  ['requests with changed bytes', fuzzBytes]
] as const) {
  t.test(`${RUNS} ${title} are answered as they should be`, async (t) => {
    const { port, key } = await startService(t, { trustProxy: ['127.0.0.1'] })
    const { lines, fault } = await fuzz(document, { port, basePath: '/v1', key }, { runs: RUNS, seed })
    for (const line of lines) t.comment(line)
    t.equal(fault, undefined, `seed ${seed}`, { fault })
  })
}
