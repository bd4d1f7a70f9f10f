import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { generateKeys, readPrivateKey, readPublicKeys } from './keys.ts'
import { sha256 } from '../record/catalogue.ts'
import { signEnvelope } from './dsse.ts'
import { appendEntry, readRegister, type RegisterEntry } from './register.ts'
import { standingOf, type Registered } from './standing.ts'

const pair = generateKeys('ed25519')
const key = readPrivateKey(pair.privateKey)
const keys = readPublicKeys(pair.publicKey)
const [first, second] = ['a', 'b'].map((digit) => `sha256:${digit.repeat(64)}`) as [string, string]
const implementation = { name: 'tool' }
/** The run of the last lines, as its record has it. */
const certified: Registered = {
  run: '3',
  profile: 'p/tool',
  implementation,
  verdict: 'conformant',
  started: '2026-01-01T00:00:03.500Z',
  finished: '2026-01-01T00:00:03.600Z',
}

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'register-'))
  file = join(folder, 'register.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true }))

const begun = (run: string): RegisterEntry => ({
  type: 'begun',
  run,
  profile: 'p/tool',
  implementation,
})
const history: readonly RegisterEntry[] = [
  begun('1'),
  { type: 'ended', run: '1', verdict: 'non-conformant', attestation: first },
  begun('2'),
  begun('3'),
  { type: 'ended', run: '3', verdict: 'conformant', attestation: second },
]
async function write(entries = history): Promise<void> {
  for (const [index, entry] of entries.entries()) {
    await appendEntry(file, entry, key, new Date(Date.UTC(2026, 0, 1, 0, 0, index)))
  }
}
const read = () => readRegister(readFileSync(file, 'utf8'), keys)
const edit = (change: (lines: string[]) => string[]): void =>
  writeFileSync(file, change(readFileSync(file, 'utf8').trim().split('\n')).join('\n'))

test('every attempt shows, and how it ended', async () => {
  await write()
  expect(standingOf(await read(), second, certified)).toEqual({
    attempts: 3,
    ended: { conformant: 1, 'non-conformant': 1, inconclusive: 0 },
    unfinished: 1,
    runs: 3,
  })
})

test('what was withdrawn is refused, with the reason', async () => {
  await write([...history, { type: 'withdrawn', attestation: second, reason: 'a key was lost' }])
  const register = await read()
  expect(() => standingOf(register, second, certified)).toThrow('it was withdrawn: a key was lost')
})

test('what is not in it is refused', async () => {
  await write()
  const register = await read()
  // Signed again, for example after a withdrawal.
  const other = `sha256:${'c'.repeat(64)}`
  expect(() => standingOf(register, other, certified)).toThrow('it is not in the register')
})

test.each<[string, Partial<Registered>, RegExp]>([
  ['another run', { run: '2' }, /as something else/],
  ['another profile', { profile: 'p/other' }, /as something else/],
  ['another name', { implementation: { name: 'other' } }, /as something else/],
  ['another version', { implementation: { name: 'tool', version: '2' } }, /as something else/],
  ['another verdict', { verdict: 'inconclusive' }, /as something else/],
  [
    'a run before its first line',
    { started: '2026-01-01T00:00:02.000Z' },
    /not written during the run/,
  ],
  [
    'a run after its last line',
    { finished: '2026-01-01T00:00:05.000Z' },
    /not written during the run/,
  ],
])('what it lists is not taken for %s', async (_, change, why) => {
  await write()
  const register = await read()
  expect(() => standingOf(register, second, { ...certified, ...change })).toThrow(why)
})

test.each<[string, (lines: string[]) => string[], RegExp]>([
  [
    'a failed attempt taken out',
    ([one, , ...rest]) => [one!, ...rest],
    /line 2 .* does not follow/,
  ],
  ['its beginning cut off', (lines) => lines.slice(2), /line 1 .* does not follow/],
  ['two lines exchanged', ([a, b, ...rest]) => [b!, a!, ...rest], /does not follow/],
  ['a line that is none', (lines) => [...lines, '{}'], /line 6 .* is not an entry/],
  ['a line twice', (lines) => [...lines, lines.at(-1)!], /line 6 .* does not follow/],
  ['a line that is cut', (lines) => [...lines.slice(0, -1), lines.at(-1)!.slice(0, 99)], /line 5/],
  [
    'a key twice',
    ([a, ...rest]) => [a!.replace('{', '{"payload":"AA",'), ...rest],
    /line 1 .* twice/,
  ],
  ['nothing left', () => [], /is empty/],
])('%s is found', async (_, change, expected) => {
  await write()
  edit(change)
  await expect(read()).rejects.toThrow(expected)
})

test('a line of somebody else is refused', async () => {
  await write()
  await appendEntry(file, begun('4'), readPrivateKey(generateKeys('es256').privateKey))
  await expect(read()).rejects.toThrow(/line 6 .* not signed with the given key/)
})

/** Lines of somebody who has the key and writes what ours would not. */
async function forge(...entries: readonly RegisterEntry[]): Promise<void> {
  for (const entry of entries) {
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    const previous = sha256(lines.at(-1)!)
    const line = { version: 1, previous, at: '2026-02-01T00:00:00.000Z', entry }
    const type = 'application/vnd.agent-oauth-conformance.register+json'
    const envelope = await signEnvelope(type, Buffer.from(JSON.stringify(line)), key)
    writeFileSync(file, `${[...lines, JSON.stringify(envelope)].join('\n')}\n`)
  }
}

const again: RegisterEntry = { type: 'ended', run: '3', verdict: 'conformant', attestation: first }
test.each<[string, RegisterEntry[], RegExp]>([
  ['a second end, after a withdrawal', [again], /line 6 .* ends a run that is not open/],
  ['an end without a beginning', [{ ...again, run: '9' }], /ends a run that is not open/],
  ['a second beginning', [begun('1')], /begins a run a second time/],
  [
    'a withdrawal of nothing',
    [{ type: 'withdrawn', attestation: `sha256:${'d'.repeat(64)}`, reason: 'x' }],
    /withdraws what is not in the register/,
  ],
])('%s is refused, and not written', async (_, entries, why) => {
  await write()
  const before = readFileSync(file, 'utf8')
  await expect(appendEntry(file, entries[0]!, key)).rejects.toThrow(why)
  expect(readFileSync(file, 'utf8')).toBe(before)
  await forge(...entries)
  await expect(read()).rejects.toThrow(why)
})

test('what could not be read afterwards is not written', async () => {
  await write()
  await expect(appendEntry(file, begun('4'), key, new Date('2020-01-01'))).rejects.toThrow(
    /line 6 .* is earlier than the one before/,
  )
  edit(([one, , ...rest]) => [one!, ...rest, ''])
  await expect(appendEntry(file, begun('4'), key)).rejects.toThrow(/line 2 .* does not follow/)
  edit((lines) => lines)
  await expect(appendEntry(`${file}.new`, begun('x'.repeat(1001)), key)).rejects.toThrow('at most')
  await expect(appendEntry(file, begun('4'), key)).rejects.toThrow('its last line is cut off')
})

test.each<[string, () => void]>([
  ['a pipe', () => void execFileSync('mkfifo', [file])],
  ['a link', () => symlinkSync('/dev/zero', file)],
  ['a folder', () => mkdirSync(file)],
])('%s is no register', async (_, plant) => {
  plant()
  await expect(appendEntry(file, begun('1'), key)).rejects.toThrow('not a plain file')
})
