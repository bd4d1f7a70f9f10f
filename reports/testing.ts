/** Hand-written recordings and records for the tests of the reports. */

import {
  Transcript,
  type Diagram,
  type Finding,
  type Recorded,
  type RecordedEvent,
  type RequestEvent,
} from '../harness/engine/index.ts'
import { runRecordFormat, runRecordVersion, type RunRecord } from './record/run-record.ts'

/** Everything that could break a terminal, a shell, XML or a reader's trust. */
export const hostile =
  '</failure>]]><script>alert(1)</script>&amp;"\' $(touch /tmp/pwned) `id` \u001b[31mred\u001b[0m \u0000\u0008\u202egnp.exe\ufffe\ud800\r\nnext'

export const request: Recorded<RequestEvent> = {
  type: 'request',
  scenario: 'denied-consent',
  seq: 2,
  t: 100,
  call: 'call-1',
  exchange: 'x1',
  channel: 'invocation',
  method: 'POST',
  url: 'http://127.0.0.1:4000/invoke?a=[1]',
  headers: {
    'content-type': 'application/json',
    authorization: '[secret invocation_credential-1]',
  },
  body: { text: '{"operation":"it\'s"}', bytes: 20 },
}

export const answer: RecordedEvent = {
  type: 'response',
  scenario: 'denied-consent',
  seq: 3,
  t: 105,
  call: 'call-1',
  exchange: 'x1',
  channel: 'invocation',
  status: 200,
  headers: { 'content-type': 'text/plain' },
  body: { text: hostile, bytes: 200 },
}

export const transcripts = new Map([['denied-consent', new Transcript([request, answer])]])

export const failed: Finding = {
  requirement: 'p/tool/echo-id',
  scenario: 'denied-consent',
  title: 'echoes id',
  verdict: 'fail',
  keyword: 'MUST',
  basis: 'specification',
  source: 'Document, Section',
  message: hostile,
  expected: '"call-1"',
  actual: hostile,
  evidence: [{ scenario: 'denied-consent', seq: 3 }],
}

export const diagram: Diagram = {
  lanes: ['user', 'runtime', 'tool', 'provider', 'resource'],
  implementation: 'tool',
  user: 'user',
  announcements: [],
  channels: {
    invocation: { from: 'runtime', to: 'tool', stimulus: true },
    browser: { from: 'user', to: 'tool', stimulus: true },
    callback: { from: 'tool', to: 'runtime' },
    provider: {
      from: 'tool',
      to: 'provider',
      routes: [
        { path: '/authorize', from: 'user' },
        { path: '/resource', to: 'resource' },
      ],
    },
  },
}

/** A catalogue of which a test gives the rest. */
export const catalogueBase = {
  id: 'p/tool',
  specification: { title: 'Document', revision: '1', published: 'https://d.test/', pages: {} },
  diagram,
  gate: { scenario: 'denied-consent' },
} as const

/** A record with these findings. */
export function recordOf(findings: readonly Finding[]): RunRecord {
  const digest = `sha256:${'0'.repeat(64)}`
  return {
    format: runRecordFormat,
    version: runRecordVersion,
    run: '20260101T000000-abcdef',
    suite: {
      name: 'suite',
      version: '1.0.0',
      catalogue: { digest, code: digest, requirements: 1, scenarios: 1, checks: 1 },
    },
    profile: 'p/tool',
    specification: { title: 'Document', revision: '1', published: 'https://document.test/' },
    diagram,
    implementation: { name: hostile },
    verdict: 'non-conformant',
    exit: { code: 1, reason: '1 requirement broken' },
    strict: false,
    partial: false,
    baseline: false,
    repetition: false,
    interrupted: false,
    settings: { ackMs: 1, stepMs: 1, observeMs: 1, maxWaitMs: 1, graceMs: 1, concurrency: 1 },
    configuration: {},
    declared: {},
    facts: {},
    environment: { node: 'v20.0.0', platform: 'linux x64', suite: '1.0.0' },
    started: '2026-01-01T00:00:00.000Z',
    finished: '2026-01-01T00:00:01.500Z',
    durationMs: 1500,
    counts: { pass: 0, fail: 1, warn: 0, inconclusive: 0, 'not-offered': 0, 'not-applicable': 0 },
    gate: 'denied-consent',
    scenarios: [{ id: 'denied-consent', title: 'denied', outcome: 'completed', durationMs: 20 }],
    requirements: [
      {
        id: 'p/tool/echo-id',
        keyword: 'MUST',
        basis: 'specification',
        source: 'Document, Section',
        links: [],
        text: 'The id comes back.',
        verdict: 'fail',
        scenarios: ['denied-consent'],
      },
    ],
    findings,
    failures: [],
  }
}
