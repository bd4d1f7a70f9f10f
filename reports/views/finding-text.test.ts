import { describe, expect, test } from 'vitest'
import { findingLines, findingText } from './finding-text.ts'
import { failed, recordOf, request, transcripts } from '../testing.ts'

const base = recordOf([failed])
const [row] = base.requirements
const running = { ...base, configuration: { target: { url: 'http://127.0.0.1:4000' } } }
const found = { ...failed, message: 'another id', actual: '"x"' }

test('says what was found, against which requirement, and which exchange shows it', () => {
  const text = findingText(found, running, transcripts, { also: ['other'] })
  expect(text.split('\n').slice(0, 8)).toEqual([
    'another id',
    '  requirement  p/tool/echo-id: The id comes back.',
    '               MUST, specification, Document, Section',
    '  scenario     denied-consent, other',
    '  expected     "call-1"',
    '  found        "x"',
    '  exchange     #2 +0.10s  invocation: POST http://127.0.0.1:4000/invoke?a=[1]',
    '                          {"operation":"it\'s"}',
  ])
  expect(text).toContain('#3 +0.10s  invocation: ← 200 text/plain')
  expect(text).not.toContain('to fix ')
})

test('says how it is usually mended, and shows no more events than asked for', () => {
  const mend = 'Send back what came.'
  const record = { ...running, requirements: row ? [{ ...row, mend }] : [] }
  const text = findingText(found, record, transcripts, { events: 1 })
  expect(text).toContain('\n  to fix       Send back what came.')
  expect(text).toContain('and 1 more events, see the transcripts')
})

describe('the request to repeat', () => {
  const started = { target: { command: ['x'], url: 'http://127.0.0.1:{port}' } }
  const kept = (address: string) => ({ ...base, configuration: started, facts: { kept: address } })

  test.each([
    ['is shown where the implementation was running already', running, true],
    ['is shown where the run left it running', kept(new URL(request.url).origin), true],
    ['is not shown for another instance', kept('http://127.0.0.1:4001'), false],
    ['is not shown where the run ended it', { ...base, configuration: started }, false],
    [
      'is not shown for a module',
      { ...base, configuration: { target: { module: './x.js', url: 'http://127.0.0.1:4000' } } },
      false,
    ],
  ])('%s', (_, record, shown) => {
    const text = findingText(found, record, transcripts)
    expect(text.includes("\n  repeat       curl -sS -i --globoff -X 'POST'")).toBe(shown)
  })
})

test('no line can control a terminal or pretend to be another one', () => {
  for (const line of findingLines(failed, running, transcripts)) {
    // oxlint-disable-next-line no-control-regex -- looking for control characters is the purpose
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
  }
})

test('evidence that points nowhere is left out', () => {
  const evidence = [
    { scenario: 'gone', seq: 1 },
    { scenario: 'denied-consent', seq: 99 },
  ]
  const text = findingText({ ...failed, evidence }, running, transcripts)
  expect(text).not.toContain('exchange')
  expect(text).not.toContain('repeat')
})
