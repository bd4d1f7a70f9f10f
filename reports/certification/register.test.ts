import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { generateKeys, readPrivateKey, readPublicKeys } from './keys.ts'
import { appendEntry, readRegister, standingOf, type RegisterEntry } from './register.ts'

const pair = generateKeys('ed25519')
const key = readPrivateKey(pair.privateKey)
const keys = readPublicKeys(pair.publicKey)
const [first, second] = ['a', 'b'].map((digit) => `sha256:${digit.repeat(64)}`) as [string, string]
const implementation = { name: 'tool' }
const subject = { profile: 'p/tool', implementation }

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
  for (const entry of entries) await appendEntry(file, entry, key)
}
const read = () => readRegister(readFileSync(file, 'utf8'), keys)
const edit = (change: (lines: string[]) => string[]): void =>
  writeFileSync(file, change(readFileSync(file, 'utf8').trim().split('\n')).join('\n'))

test('every attempt shows, and how it ended', async () => {
  await write()
  expect(standingOf(await read(), second, subject)).toEqual({
    attempts: 3,
    ended: { conformant: 1, 'non-conformant': 1, inconclusive: 0 },
    unfinished: 1,
  })
})

test('what was withdrawn is refused, with the reason', async () => {
  await write([...history, { type: 'withdrawn', attestation: second, reason: 'a key was lost' }])
  const register = await read()
  expect(() => standingOf(register, second, subject)).toThrow('it was withdrawn: a key was lost')
  expect(standingOf(register, first, subject).attempts).toBe(3)
})

test('what is not in it is refused', async () => {
  await write()
  const register = await read()
  const other = `sha256:${'c'.repeat(64)}`
  expect(() => standingOf(register, other, subject)).toThrow('it is not in the register')
})

test.each<[string, (lines: string[]) => string[], RegExp]>([
  [
    'a failed attempt taken out',
    ([one, , ...rest]) => [one!, ...rest],
    /line 2 .* does not follow/,
  ],
  ['its beginning cut off', (lines) => lines.slice(2), /line 1 .* does not follow/],
  ['two lines exchanged', ([a, b, ...rest]) => [b!, a!, ...rest], /does not follow/],
  ['a line that is none', (lines) => [...lines, '{}'], /line 6 .* is no entry/],
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

test('a date before the one above is refused', async () => {
  await write()
  await appendEntry(file, begun('4'), key, new Date('2020-01-01'))
  await expect(read()).rejects.toThrow(/line 6 .* is earlier/)
})
