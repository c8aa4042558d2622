import t from 'tap'
import { isSecret, newKeyId, newSecret, sha256, withoutSecrets } from '../../src/domain/api-keys.js'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

t.test('10,000 secrets: each has the documented form and a right checksum, no two are the same', async (t) => {
  const seen = new Set<string>()
  for (let i = 0; i < 10_000; i++) {
    const kind = i % 2 ? 'live' : 'test'
    const secret = newSecret(kind)
    if (!new RegExp(`^pet_${kind}_[0-9A-Za-z]{38}$`).test(secret) || !isSecret(secret)) {
      t.fail(`${secret} is not a secret`)
    }
    seen.add(secret)
  }
  t.equal(seen.size, 10_000)
})

t.test('every character of base62 stands at every random place', async (t) => {
  const seen = Array.from({ length: 32 }, () => new Set<string>())
  for (let i = 0; i < 2_000; i++) {
    for (const [place, character] of [...newSecret('test').slice(9, 41)].entries()) seen[place]!.add(character)
  }
  t.same([...new Set(seen.map(({ size }) => size))], [62])
})

t.test('a secret with one character changed is refused by its checksum, without a look-up', async (t) => {
  let changes = 0
  for (let i = 0; i < 20; i++) {
    const secret = newSecret(i % 2 ? 'live' : 'test')
    for (let place = 0; place < secret.length; place++) {
      for (const character of BASE62 + '_') {
        if (character === secret[place]) continue
        changes++
        const changed = secret.slice(0, place) + character + secret.slice(place + 1)
        if (isSecret(changed)) t.fail(`${changed} was taken for ${secret}`)
      }
    }
  }
  t.equal(changes, 20 * 47 * 62)
})

t.test('a secret with a character missing, added or in another place is refused', async (t) => {
  const secret = newSecret('live')
  const body = secret.slice(9)
  const swapped = body.search(/(.)(?!\1)./)
  const wrong = [
    '',
    secret.slice(1),
    secret.slice(0, -1),
    `${secret}0`,
    ` ${secret}`,
    `${secret} `,
    `${secret}\n`,
    secret.replace('live', 'test'),
    secret.replace('pet_', 'PET_'),
    secret.replace('_live_', '-live-'),
    body,
    `Bearer ${secret}`,
    secret + secret,
    `pet_live_${'0'.repeat(38)}`,
    secret.slice(0, 9) + body.slice(0, swapped) + body[swapped + 1] + body[swapped] + body.slice(swapped + 2)
  ]
  for (const text of wrong) t.notOk(isSecret(text), JSON.stringify(text.replace(body, '…')))
})

t.test('the checksum is CRC-32 in six base62 digits, so that other programs can check it', async (t) => {
  const text = `pet_test_${'0'.repeat(32)}`
  let crc = 0xffffffff
  for (const byte of Buffer.from(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  let rest = (crc ^ 0xffffffff) >>> 0
  let digits = ''
  for (let i = 0; i < 6; i++, rest = Math.floor(rest / 62)) digits = BASE62[rest % 62] + digits
  t.ok(isSecret(text + digits))
})

t.test('the hash of a secret is its SHA-256: 32 bytes, the same each time, another for another secret', async (t) => {
  const secret = newSecret('live')
  t.equal(sha256('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  t.same(sha256(secret), sha256(secret))
  t.notSame(sha256(secret), sha256(newSecret('live')))
})

t.test('the id of a key is not a secret, and no two are the same', async (t) => {
  const ids = Array.from({ length: 1_000 }, newKeyId)
  t.ok(ids.every((id) => /^key_[0-9A-Za-z]{16}$/.test(id) && !isSecret(id)))
  t.equal(new Set(ids).size, 1_000)
})

t.test('a secret in any text becomes [key], also percent-encoded; other text stays as it is', async (t) => {
  const secret = newSecret('live')
  const encoded = (text: string) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join('')
  const wanted: [text: string, clean: string][] = [
    [`/v1/pets/${secret}`, '/v1/pets/[key]'],
    [`/v1/${secret}/${newSecret('test')}`, '/v1/[key]/[key]'],
    [`/v1/pets/${secret.replaceAll('_', '%5F')}`, '/v1/pets/[key]'],
    [`/v1/pets/${encoded(secret)}`, '/v1/pets/[key]'],
    [`/v1/pets/${encoded(secret).toUpperCase()}`, '/v1/pets/[key]'],
    [`/v1/pets/${encoded(secret.slice(0, 3))}${secret.slice(3)}`, '/v1/pets/[key]'],
    [`/v1/pets/${encoded(encoded(secret))}`, '/v1/pets/[key]'],
    [`/v1/pets/${secret.toUpperCase()}`, '/v1/pets/[key]'],
    [`/v1/pets/${secret.slice(0, -1)}`, '/v1/pets/[key]'],
    ['/v1/pets/%41%25%0a', '/v1/pets/%41%25%0a'],
    ['/v1/pets/pet_livestock', '/v1/pets/pet_livestock'],
    ['', '']
  ]
  for (const [text, clean] of wanted) t.equal(withoutSecrets(text), clean)
})

t.test('text that is made to be slow to clean is cleaned within milliseconds', async (t) => {
  const started = process.cpuUsage()
  for (const piece of ['%', '%25', '%2', 'pet_', 'pet_live_', '%2525252541']) {
    withoutSecrets(piece.repeat(16_384 / piece.length))
  }
  t.ok(process.cpuUsage(started).user < 1_000_000)
})
