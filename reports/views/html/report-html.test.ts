import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { Transcript, type RecordedEvent } from '../../../harness/engine/index.ts'
import { answer, failed, recordOf, request, transcripts } from '../../testing.ts'
import { reportHtml } from './report-html.ts'

const told = { ...failed, message: 'the id is missing', actual: 'absent' }
const page = reportHtml(recordOf([told]), transcripts)

test('allows its own style sheet, its own script, and nothing else', () => {
  const [style, script] = ['style', 'script'].map((name) => {
    const [, text = ''] = new RegExp(`<${name}>([^]*?)</${name}>`).exec(page) ?? []
    return `&#39;sha256-${createHash('sha256').update(text).digest('base64')}&#39;`
  })
  const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? []
  expect(policy).toBe(
    `default-src &#39;none&#39;; style-src ${style}; script-src ${script}; base-uri &#39;none&#39;; form-action &#39;none&#39;`,
  )
  expect(page.match(/<script\b/gi)).toHaveLength(1)
  expect(page).not.toMatch(/<(link|img|iframe|object|form|base)\b/i)
})

test('says on the first screen what was found, against which requirement, and how it is mended', () => {
  const [, first = ''] = /<header>([^]*?)<\/header>/.exec(page) ?? []
  expect(first).toMatch(
    /class="overview"[^]*?href="#finding\.0">the id is missing<[^]*?Requirement:[^]*?echo-id/,
  )
  expect(reportHtml(recordOf([]), transcripts)).not.toContain('class="overview"')
})

test('the controls that need the script are hidden without it', () => {
  expect(page).toContain('<search id="filter" hidden>')
})

test('every link leads to a place in the page', () => {
  const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target)
  expect(links.length).toBeGreaterThan(5)
  expect(links.filter((target) => !ids.has(target))).toEqual([])
})

test('leads from the requirement to the finding, to the event, to the message', () => {
  expect(page).toMatch(/id="p\/tool\/echo-id"[^]*?href="#finding\.0"/)
  expect(page).toMatch(/id="finding\.0"[^]*?href="#event\.denied-consent\.3"/)
  expect(page).toMatch(/id="event\.denied-consent\.3"[^]*?200\ncontent-type: text\/plain/)
  expect(page).toContain('a finding rests on this: fail')
})

test('draws who spoke to whom as the record says', () => {
  const provider: RecordedEvent[] = [
    { ...request, seq: 1, channel: 'provider', exchange: 'p1', url: 'https://h/authorize?x' },
    { ...request, seq: 2, channel: 'provider', exchange: 'p2', url: 'https://h/token' },
    { ...request, seq: 3, channel: 'provider', exchange: 'p3', url: 'https://h/resource/items' },
    {
      ...answer,
      type: 'failure',
      seq: 4,
      channel: 'provider',
      exchange: 'p3',
      code: 'ECONNRESET',
      message: '',
    },
  ]
  const recorded = new Map([['denied-consent', new Transcript(provider)]])
  const html = reportHtml(recordOf([]), recorded)
  expect([...html.matchAll(/class="who">([^<]*)</g)].map(([, text]) => text)).toEqual([
    'user → provider',
    'tool → provider',
    'tool → resource',
    'resource → tool',
  ])
})

test('calls that are under way at the same time are told apart, and one alone is not numbered', () => {
  const second = { ...request, seq: 3, exchange: 'x2', call: 'call-2' }
  const recorded = (events: RecordedEvent[]) =>
    reportHtml(recordOf([]), new Map([['denied-consent', new Transcript(events)]]))
  const both = recorded([request, second])
  expect(both).toContain('2 call 1: ')
  expect(both).toContain('3 call 2: ')
  expect(both).toContain('class="who">runtime → tool, call-2<')
  expect(recorded([request])).not.toContain('call 1')
})

test('a long recording is cut, but what a finding rests on stays', () => {
  const events = Array.from({ length: 500 }, (_, index) => ({ ...request, seq: index + 1 }))
  const evidence = [{ scenario: 'denied-consent', seq: 499 }]
  const recorded = new Map([['denied-consent', new Transcript(events)]])
  const long = reportHtml(recordOf([{ ...told, evidence }]), recorded)
  expect(long).toContain('id="event.denied-consent.499"')
  expect(long).not.toContain('id="event.denied-consent.498"')
  expect(long).toContain('… 419 more, see the transcript')
})

test('says what keeps a run from counting', () => {
  const partial = reportHtml({ ...recordOf([]), partial: { filters: ['x'] } }, new Map())
  expect(partial).toContain('this certifies nothing')
  expect(partial).toContain('non-conformant (partial)')
})
