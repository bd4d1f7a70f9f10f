/** No view of a run, and nothing on the terminal, contains a secret of that run: scanned by the run's own ledger. */

import { homedir } from 'node:os'
import { expect, test } from 'vitest'
import { printResult } from '../cli/print/print-result.ts'
import type { Terminal } from '../cli/print/terminal.ts'
import {
  openSession,
  parseConfiguration,
  runLog,
  type SecretLedger,
} from '../harness/engine/index.ts'
import {
  buildRunRecord,
  formatIds,
  renderers,
  resultsJson,
  type RunRecord,
  type Transcripts,
} from '../reports/index.ts'
import { rapTool } from '../suites/rap-oauth/tool/profile.ts'
import { scratch } from './run-cli.ts'
import { leaky } from './third-party.ts'

const scenarios = [
  'authorize-and-complete',
  'exchange-token-error-echoes-client-secret',
  'markup-in-callback',
  'whole-run',
]

interface Stored {
  readonly record: RunRecord
  readonly transcripts: Transcripts
  readonly ledger: SecretLedger
}

async function runLeaky(): Promise<Stored> {
  const configuration = parseConfiguration(rapTool.configuration, leaky)
  const directory = scratch()
  const session = await openSession(rapTool, {
    configuration,
    base: directory,
    directory,
    scenarios,
  })
  const started = new Date()
  try {
    const findings = (await Promise.all(scenarios.map((id) => session.judge(id)))).flat()
    const { ledger } = session.run
    const unfinished = buildRunRecord({
      run: session.run.id,
      suite: { name: 'suite', version: '1.0.0' },
      catalogue: rapTool,
      configuration,
      declared: rapTool.declared(configuration),
      facts: session.facts,
      findings,
      failures: session.failures,
      repetition: false,
      partial: { filters: scenarios },
      interrupted: false,
      started,
      finished: new Date(),
      scenarios,
      transcripts: session.transcripts(),
      files: new Map(),
      log: runLog,
      redact: (text) => ledger.redact(text).text,
      folders: { '~': homedir() },
    })
    const record = { ...unfinished, exit: { code: 1, reason: 'broken' } }
    return { record, transcripts: session.transcripts(), ledger }
  } finally {
    await session.close()
  }
}

test('a tool that leaks in messages, pages and logs', async () => {
  const { record, transcripts, ledger } = await runLeaky()
  expect(ledger.size).toBeGreaterThan(4)
  const leaks = record.findings.filter(({ verdict }) => verdict === 'fail')
  expect(leaks.map(({ requirement }) => requirement)).toContain('oauth-client/no-secrets-in-logs')

  let printed = ''
  const write = (text: string): void => {
    printed += text
  }
  const terminal: Terminal = {
    live: false,
    width: 100,
    columns: 100,
    write,
    line: (text = '') => write(`${text}\n`),
    style: (_, text) => text,
  }
  printResult(terminal, record, transcripts, { folder: '/', quiet: false })

  const views = new Map([
    ['terminal', printed],
    ['record', resultsJson(record)],
    ...formatIds.map((id) => [id, renderers[id](record, transcripts)] as const),
  ])
  for (const [name, text] of views) {
    expect({ name, hits: ledger.redact(text).hits }).toEqual({ name, hits: [] })
  }
  expect(views.get('html')).toContain('[secret access_token-')
}, 60_000)
