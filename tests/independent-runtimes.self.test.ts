/** Runtimes that were written from RAP's pages alone: the correct ones are conformant, what they break is caught. */

import { beforeAll, describe, expect, test } from 'vitest'
import { certify } from './run-cli.ts'
import {
  buildFolder,
  configurationOf,
  independentRuntimes,
  isInstalled,
} from './independent-runtimes.ts'

describe.each(Object.entries(independentRuntimes))('in %s', (_, runtime) => {
  const { needs, violations } = runtime
  // Told in the name, because a test that is skipped says nothing else.
  describe.skipIf(!isInstalled(runtime))(`with ${needs[0]} installed`, () => {
    let command: readonly string[] = []
    beforeAll(() => {
      command = runtime.build(buildFolder())
    })

    test('the correct one is conformant without a warning', async () => {
      const { code, record } = await certify(configurationOf(runtime, command))
      const blemishes = record.findings.filter(
        ({ verdict }) => !['pass', 'not-applicable', 'not-offered'].includes(verdict),
      )
      expect(blemishes).toEqual([])
      expect(code).toBe(0)
    })

    test.each(violations)('%s is caught in %s', async (violation, scenario, broken) => {
      const args = ['--filter', scenario]
      const { record } = await certify(configurationOf(runtime, command, violation), { args })
      const caught = record.findings.filter(({ verdict }) => ['fail', 'warn'].includes(verdict))
      expect(caught.map(({ requirement }) => requirement)).toContain(`rap-oauth/runtime/${broken}`)
    })
  })
})
