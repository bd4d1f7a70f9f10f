/** One root cause is told once: what a person reads of a run that has one fits on a screen or two. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { profiles } from '../../suites/registry.ts'
import { runCli, scratch } from '../run-cli.ts'

type Configuration = Readonly<Record<string, unknown>>

const mostLines = 60

/** The reference implementation of a role with one defect. */
export function defective(role: 'tool' | 'runtime', defect: string): Configuration {
  const profile = profiles.find(({ id }) => id === `rap-oauth/${role}`)
  const settings = profile?.reference.settings() ?? {}
  const target = settings['target'] as { readonly env: object }
  const program = `../../dist/suites/rap-oauth/${role}/reference/varied.js`
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

/** A test for each implementation that has one cause of all that is wrong. */
export function toldOnce(table: readonly (readonly [cause: string, Configuration])[]): void {
  test.concurrent.each(table)('%s', { timeout: 180_000 }, async (_, configuration) => {
    const folder = scratch()
    writeFileSync(join(folder, 'conformance.json'), JSON.stringify(configuration))
    const args = ['run', '--config', 'conformance.json', '--output', 'out']
    const { code, stdout } = await runCli(args, folder)
    expect([1, 3]).toContain(code)
    expect(stdout).toMatch(/NON-CONFORMANT|INCONCLUSIVE/)
    // That the machine was busy is no cause of the implementation's.
    const lines = stdout
      .replace(/^note {5}[^]*?\n\n/m, '')
      .trimEnd()
      .split('\n')
    expect(lines.length, stdout).toBeLessThanOrEqual(mostLines)
  })
}
