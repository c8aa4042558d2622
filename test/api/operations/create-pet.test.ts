import t from 'tap'
import { startService } from '../../support/service.js'

t.test('POST /pets answers 201 with the animal and its new id, and GET gives the very same', async (t) => {
  const { call } = await startService(t)
  const bodies = [
    { name: 'Rex', categoryId: 7, status: 'available' },
    { name: 'Ada', categoryId: 0, status: 'pending' },
    { name: ' Größe 🐕 "quoted" \\ / ', categoryId: -1, status: 'sold' },
    { name: 'x'.repeat(16_000), categoryId: 9 }
  ]
  for (const [index, body] of bodies.entries()) {
    const made = await call('POST', '/pets', { body })
    t.equal(made.status, 201)
    t.same(made.json, { id: index + 1, ...body })
    t.equal((await call('GET', `/pets/${index + 1}`)).text, made.text)
  }
})

t.test('a status that nobody gave is not there', async (t) => {
  const { call } = await startService(t)
  t.equal(
    (await call('POST', '/pets', { body: { name: 'Ada', categoryId: 9 } })).text,
    '{"id":1,"name":"Ada","categoryId":9}'
  )
})

t.test('a body that is not as declared is a 400 that names what is wrong', async (t) => {
  const { call } = await startService(t)
  const missing = (name: string) => `Body property '${name}' is required.`
  const must = (name: string, what: string) => `Body property '${name}' must ${what}.`
  const range = 'be from -9223372036854775808 to 9223372036854775807'
  const wanted: [raw: string, message: string][] = [
    ['{"categoryId":1}', missing('name')],
    ['{"name":"x"}', missing('categoryId')],
    ['{}', `${missing('name')} ${missing('categoryId')}`],
    [
      '{"name":1,"status":"lost","stauts":"sold"}',
      `${missing('categoryId')} Body property 'stauts' is not known. ${must('name', 'be a string')} ${must('status', 'be one of: available, pending, sold')}`
    ],
    ['{"name":1,"categoryId":1}', must('name', 'be a string')],
    ['{"name":null,"categoryId":1}', must('name', 'be a string')],
    ['{"name":["x"],"categoryId":1}', must('name', 'be a string')],
    ['{"name":"","categoryId":1}', must('name', 'have at least 1 character')],
    ['{"name":"a\\u0000b","categoryId":1}', must('name', 'not have control characters, such as line breaks')],
    ['{"name":"x","categoryId":"1"}', must('categoryId', 'be an integer')],
    ['{"name":"x","categoryId":null}', must('categoryId', 'be an integer')],
    ['{"name":"x","categoryId":true}', must('categoryId', 'be an integer')],
    ['{"name":"x","categoryId":1.5}', must('categoryId', 'be an integer')],
    ['{"name":"x","categoryId":[1]}', must('categoryId', 'be an integer')],
    ['{"name":"x","categoryId":{}}', must('categoryId', 'be an integer')],
    ['{"name":"x","categoryId":9223372036854775808}', must('categoryId', range)],
    ['{"name":"x","categoryId":-9223372036854775809}', must('categoryId', range)],
    ['{"name":"x","categoryId":100000000000000000000000}', must('categoryId', range)],
    ['{"name":"x","categoryId":1e400}', must('categoryId', 'be an integer')],
    ['{"name":"x","categoryId":1,"status":"lost"}', must('status', 'be one of: available, pending, sold')],
    ['{"name":"x","categoryId":1,"status":null}', must('status', 'be a string')],
    ['{"name":"x","categoryId":1,"id":5}', "Body property 'id' is not known."],
    ['{"name":"x","categoryId":1,"stauts":"sold"}', "Body property 'stauts' is not known."]
  ]
  for (const [raw, message] of wanted) {
    const { status, json } = await call('POST', '/pets', { raw })
    t.same({ status, json }, { status: 400, json: { code: 'bad_request', message, status: 400 } }, raw)
  }
  t.equal((await call('GET', '/pets')).text, '[]', 'nothing was stored')
})

t.test('a body of 16 KiB is taken, one byte more is a 413', async (t) => {
  const { call } = await startService(t)
  const sized = (bytes: number) => ({ raw: JSON.stringify({ name: 'x'.repeat(bytes - 26), categoryId: 1 }) })
  t.equal(sized(16_384).raw.length, 16_384)
  t.equal((await call('POST', '/pets', sized(16_384))).status, 201)
  const { status, json } = await call('POST', '/pets', sized(16_385))
  t.same(
    { status, json },
    { status: 413, json: { code: 'payload_too_large', message: 'The body may have at most 16384 bytes.', status: 413 } }
  )
})

t.test('animals made at the same time get ids of their own', async (t) => {
  const { call } = await startService(t)
  const made = await Promise.all(
    Array.from({ length: 300 }, (_, index) =>
      call('POST', '/pets', { body: { name: `Pet ${index}`, categoryId: index } })
    )
  )
  t.ok(made.every(({ status }) => status === 201))
  t.equal(new Set(made.map(({ json }) => json.id)).size, 300)
  for (const { text, json } of made.slice(0, 20)) t.equal((await call('GET', `/pets/${json.id}`)).text, text)
})
