import { expect, test } from 'vitest'
import type { Verdict } from '../../harness/engine/index.ts'
import { junitXml } from './junit.ts'
import { failed, recordOf, transcripts } from '../testing.ts'
import { escapeXml } from './xml.ts'

function xmlOf(verdict: Verdict, change: Partial<typeof failed> = {}): string {
  const finding = { ...failed, message: 'why', actual: 'x', ...change, verdict }
  return junitXml(recordOf([finding]), transcripts)
}

test('a failure carries requirement, source, expected, actual and evidence', () => {
  const xml = xmlOf('fail')
  expect(xml).toContain('<testsuites name="suite p/tool: ')
  expect(xml).toContain('tests="1" failures="1" errors="0" skipped="0" time="1.500"')
  expect(xml).toContain('<testsuite name="denied-consent" tests="1" failures="1"')
  expect(xml).toContain('<failure message="why" type="specification MUST">why')
  for (const part of [
    'Document, Section',
    '<property name="specification.revision" value="1"/>',
    'requirement  p/tool/echo-id',
    'expected     &quot;call-1&quot;',
    'found        x',
    '#2 +0.10s',
  ]) {
    expect(xml).toContain(part)
  }
})

test.each<[Verdict, Partial<typeof failed>, string]>([
  ['pass', {}, 'failures="0" errors="0" skipped="0"'],
  ['warn', {}, '<system-out>Warning: why'],
  ['not-applicable', {}, '<skipped message="not applicable: why"/>'],
  ['inconclusive', {}, '<error message="why" type="inconclusive">'],
  ['inconclusive', { keyword: 'SHOULD' }, '<skipped message="inconclusive: why"/>'],
  ['inconclusive', { basis: 'best-practice' }, '<skipped message="inconclusive: why"/>'],
])('%s with %j gives %s', (verdict, change, expected) => {
  expect(xmlOf(verdict, change)).toContain(expected)
})

test('a baseline that is out of date fails, as the exit code does', () => {
  const problems = ['p/tool/echo-id in denied-consent: no longer occurs']
  const xml = junitXml({ ...recordOf([]), baseline: { known: [], problems } }, transcripts)
  expect(xml).toContain('tests="1" failures="1"')
  expect(xml).toContain(`<failure message="${problems[0]}" type="baseline"`)
  const upToDate = { ...recordOf([]), baseline: { known: [], problems: [] } }
  expect(junitXml(upToDate, transcripts)).not.toContain('baseline')
})

test('what an implementation sent neither breaks the document nor stays invisible', () => {
  const xml = junitXml(recordOf([failed]), transcripts)
  expect(xml).not.toContain('<script')
  expect(xml).toContain('&lt;script&gt;')
  expect(xml).not.toMatch(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u)
  expect(xml.match(/<\/failure>/g)).toHaveLength(1)
})

test('harness failures are told apart from findings', () => {
  const record = {
    ...recordOf([]),
    failures: [{ scenario: 'denied-consent', message: 'boom <x>' }],
  }
  expect(junitXml(record, transcripts)).toContain(
    '<system-err>The harness failed: boom &lt;x&gt;</system-err>',
  )
})

test('escapes text for content and attributes', () => {
  expect(escapeXml('a<b>&"\'\u0000\u001b\ud800\u{1f600}\n\r')).toBe(
    'a&lt;b&gt;&amp;&quot;&apos;\u{1f600}\n&#13;',
  )
})
