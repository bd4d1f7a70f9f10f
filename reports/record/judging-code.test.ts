import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { digestJudgingCode, judgingCode } from './judging-code.ts'

const judges = {
  'harness/engine/run.ts': '1',
  'mock-model/index.ts': '1',
  'mock-provider/index.ts': '1',
  'suites/p/tool/checks.ts': '1',
}

function digestOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'judging-code-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return digestJudgingCode(folder)
}

test('a change of what drives or judges changes the digest', () => {
  const before = digestOf(judges)
  for (const name of Object.keys(judges)) {
    expect(digestOf({ ...judges, [name]: '2' })).not.toBe(before)
  }
  expect(digestOf({ ...judges, 'suites/p/tool/view.ts': '1' })).not.toBe(before)
})

test('a change of tests, references and proofs does not', () => {
  const others = ['checks.test.ts', 'testing.ts', 'reference/main.ts', 'proof/expected.ts']
  for (const name of others) {
    expect(digestOf({ ...judges, [`suites/p/tool/${name}`]: 'x' })).toBe(digestOf(judges))
  }
})

test('this installation has one', () => {
  expect(judgingCode()).toMatch(/^sha256:[0-9a-f]{64}$/)
})
