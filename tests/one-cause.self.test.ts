/** One root cause is told once: what a person reads of a run that has one fits on a screen or two. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { profiles } from '../suites/registry.ts'
import { runCli, scratch } from './run-cli.ts'
import { silentRuntime } from './runtimes.ts'
import { silent as silentTool } from './third-party.ts'

const mostLines = 60

/** The reference implementation of a role with one defect. */
function defective(role: 'tool' | 'runtime', defect: string): Readonly<Record<string, unknown>> {
  const profile = profiles.find(({ id }) => id === `rap-oauth/${role}`)
  const settings = profile?.reference.settings() ?? {}
  const target = settings['target'] as { readonly env: object }
  const program = `../dist/suites/rap-oauth/${role}/reference/varied.js`
  return {
    ...settings,
    profile: `rap-oauth/${role}`,
    implementation: { name: defect },
    target: {
      ...target,
      command: [process.execPath, new URL(program, import.meta.url).pathname],
      env: { ...target.env, DEFECT: defect },
    },
  }
}

const table = [
  ['a tool that never retries after consent', defective('tool', 'retry-left-to-the-agent')],
  ['a tool that swallows errors of the exchange', defective('tool', 'exchange-error-swallowed')],
  ['a tool that never asks its user', defective('tool', 'asks-in-a-result')],
  ['a tool whose redirect URI is another in each flow', defective('tool', 'state-ignored')],
  ['a tool that answers 404 to everything', silentTool('404')],
  ['a runtime whose callback URL leads nowhere', defective('runtime', 'callback-url-not-found')],
  ['a runtime that gives no result to the model', defective('runtime', 'results-not-injected')],
  ['a runtime that shows no URL', defective('runtime', 'auth-url-not-shown')],
  ['a runtime that takes an oauth message for a result', defective('runtime', 'oauth-as-result')],
  ['a runtime that answers 404 to everything', silentRuntime('404')],
] as const

test.concurrent.each(table)('%s', { timeout: 180_000 }, async (_, configuration) => {
  const folder = scratch()
  writeFileSync(join(folder, 'conformance.json'), JSON.stringify(configuration))
  const args = ['run', '--config', 'conformance.json', '--output', 'out']
  const { code, stdout } = await runCli(args, folder)
  expect([1, 3]).toContain(code)
  expect(stdout).toMatch(/NON-CONFORMANT|INCONCLUSIVE/)
  expect(stdout.trimEnd().split('\n').length, stdout).toBeLessThanOrEqual(mostLines)
})
