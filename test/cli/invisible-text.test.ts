import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import t from 'tap'
import { runProgram } from '../../scripts/cluster/program.js'
import { parseKeyName } from '../../src/cli/terminal/arguments.js'
import { escapeInvisible } from '../../src/cli/terminal/invisible.js'
import { seeded } from './database/seeded.js'
import { runInProcess } from './in-process.js'

/** Control, bidirectional and zero-width characters, separators, a tag, an invisible letter and mark, half a pair. */
const INVISIBLE = [
  '\u001b', '\u0007', '\u007f', '\u0085', '\u009b',
  '\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069',
  '\u00ad', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\ufe0f',
  '\u2028', '\u2029', '\u{e0041}', '\u3164', '\u034f', '\ud800'
]
/** Names as people have them: other scripts, combining marks, and emoji that are made of several characters. */
const VISIBLE = ['Café', 'Cafe\u0301', 'צוות', 'فريق', 'プロ', 'ทีม', '🐶', '❤️', '👩‍🔬', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🇨🇭', '1️⃣', '👍🏽']

t.test('what a terminal would obey, hide or reorder is escaped as JSON does, and everything else stays', async (t) => {
  for (const character of INVISIBLE) {
    const escaped = escapeInvisible(`a${character}b`)
    t.match(escaped, /^a(\\u[0-9a-f]{4})+b$/)
    t.equal(JSON.parse(`"${escaped}"`), `a${character}b`)
    t.equal(escapeInvisible(escaped), escaped)
  }
  for (const text of [...VISIBLE, 'two\nlines', '']) t.equal(escapeInvisible(text), text)
})

t.test('names of keys and of people have no invisible characters', async (t) => {
  const { environment: database } = await seeded(t, 1)
  const { id } = JSON.parse((await runInProcess(['keys', 'create', '--json'], database)).stdout)
  for (const character of [...INVISIBLE, '\n', '\t']) {
    t.throws(() => parseKeyName(`a${character}b`), /It must have 1 to 100 characters, none of them invisible\./)
  }
  for (const args of [['create', '--name', 'a\u202eb'], ['rename', id, 'a\u200bb'], ['create', '--by', 'a\u001bb']]) {
    t.match(await runInProcess(['keys', ...args], database), { code: 2, stderr: 'none of them invisible' })
  }
  for (const name of VISIBLE) {
    t.match(await runInProcess(['keys', 'rename', id, name, '--json'], database), { code: 0, stdout: `"name":"${name}"` })
  }
})

t.test('names that were stored before are escaped where they are shown, and the same in JSON', async (t) => {
  const { path, environment: database } = await seeded(t, 1)
  const { id } = JSON.parse((await runInProcess(['keys', 'create', '--json', '--by', 'Ada'], database)).stdout)
  const name = 'a\u001b]0;x\u0007\u202eb\u200b\u009b'
  const file = new DatabaseSync(path)
  file.prepare('UPDATE api_keys SET name = ?').run(name)
  file.prepare('UPDATE key_changes SET changed_by = ?').run(name)
  file.close()
  const shown = 'a\\u001b]0;x\\u0007\\u202eb\\u200b\\u009b'
  for (const args of [
    ['list'], ['show', id], ['history', id], ['usage', id], ['plan', id, 'pro'], ['rotate', id], ['rename', id, 'c'],
    ['history', id, '--json']
  ]) {
    const { code, stdout } = await runInProcess(['keys', ...args], database)
    t.equal(code, 0, args.join(' '))
    t.ok(stdout.includes(shown), args.join(' '))
    t.equal(escapeInvisible(stdout), stdout, args.join(' '))
  }
  file.open()
  file.prepare('UPDATE api_keys SET name = ?').run(name)
  file.close()
  t.equal(JSON.parse((await runInProcess(['keys', 'show', id, '--json'], database)).stdout).name, name)
  const [head, row] = (await runInProcess(['keys', 'list'], database)).stdout.split('\n')
  t.equal(row!.indexOf(' free '), head!.indexOf(' PLAN '), 'the columns stand below each other')
})

t.test('no message repeats an argument in a form that a terminal would obey', async (t) => {
  const { folder, environment: database } = await seeded(t, 1)
  const odd = 'x\u001b[31m\u009b\u202e\u200b'
  for (const args of [
    [odd],
    [`--${odd}`],
    ['help', odd],
    ['keys', odd],
    ['keys', 'show', odd],
    ['keys', 'create', odd],
    ['keys', 'create', `--${odd}`],
    ['keys', 'create', '--plan', odd],
    ['keys', 'create', '--name', odd],
    ['keys', 'rotate', 'key_1', '--overlap', odd],
    ['keys', 'list', '--sort', odd],
    ['orders', 'complete', odd],
    ['seed', '--pets', odd],
    ['backup', join(folder, odd, 'a.db')],
    ['backup', `${join(folder, odd)}/`],
    ['backup', '--keep', '1', join(folder, odd)],
    ['restore', join(folder, odd, 'a.db')],
    ['restore', join(folder, odd)],
    ['migrate-data', '--from', `sqlite:${odd}`, '--to', 'postgres://u:p@h/d'],
    ['migrate-data', '--from', odd]
  ]) {
    const { stdout, stderr } = await runInProcess(args, database)
    t.equal(escapeInvisible(stdout + stderr), stdout + stderr, args.join(' '))
  }
  const { stdout } = await runProgram(['backup', join(folder, odd)], database)
  t.match(stdout, '/x\\u001b[31m\\u009b\\u202e\\u200b (')
  const { stderr } = await runInProcess(['keys', 'list'], { DATABASE_URL: `sqlite:/missing/${odd}/a.db` })
  t.match(stderr, '/missing/x\\u001b[31m\\u009b\\u202e\\u200b')
  t.equal(escapeInvisible(stderr), stderr)
})
