import { expect, test } from 'vitest'
import { findingLines, findingText } from './finding-text.ts'
import { failed, transcripts } from './testing.ts'

const requirement = { id: failed.requirement, text: 'The id comes back.' }

test('says what is required, what came instead, and which exchange shows it', () => {
  const text = findingText(
    { ...failed, message: 'another id', actual: '"x"' },
    requirement,
    transcripts,
  )
  expect(text.split('\n').slice(0, 9)).toEqual([
    'p/tool/echo-id  (scenario denied-consent: echoes id)',
    '  requires   The id comes back.',
    '             MUST, specification, Document, Section',
    '  found      another id',
    '  expected   "call-1"',
    '  actual     "x"',
    '  seen',
    '    #2 +0.10s  invocation: POST http://127.0.0.1:4000/invoke?a=[1]',
    '               {"operation":"it\'s"}',
  ])
  expect(text).toContain('#3 +0.10s  invocation: ← 200 text/plain')
  expect(text).toContain("  repeat\n    curl -sS -i --globoff -X 'POST'")
})

test('no line can control a terminal or pretend to be another one', () => {
  for (const line of findingLines(failed, requirement, transcripts)) {
    // oxlint-disable-next-line no-control-regex -- looking for control characters is the purpose
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
  }
})

test('evidence that points nowhere is left out', () => {
  const evidence = [
    { scenario: 'gone', seq: 1 },
    { scenario: 'denied-consent', seq: 99 },
  ]
  const lines = findingLines({ ...failed, evidence }, undefined, transcripts)
  expect(lines).not.toContain('  seen')
  expect(lines).not.toContain('  repeat')
})
