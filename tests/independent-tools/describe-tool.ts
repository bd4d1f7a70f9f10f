/** What `aoc run` says about a tool in another language that nobody of us wrote, right and broken. */

import { describe, expect, test } from 'vitest'
import { certify, requirementsWith } from '../run-cli.ts'
import type { IndependentTool } from './tools.ts'

/** Few scenarios, where any show it. */
export const anywhere = ['--shard', '1/40'] as const

/** What its author broke, the scenario that shows it (or any few do), and the requirement that it breaks. */
export type Violation = readonly [id: string, where: string | typeof anywhere, requirement: string]

/** Builds the tool, drives it as it is and with each violation; where it cannot be built, that is skipped and says why. */
export function describeTool(build: () => IndependentTool, violations: readonly Violation[]): void {
  const tool = builtBy(build)
  if (tool instanceof Error) {
    test(`left out: ${build.name}: ${tool.message}`, (context) => context.skip())
    return
  }
  const { language, configuration, args } = tool
  describe(`a tool in ${language}`, () => {
    test('is conformant without a warning', async () => {
      const env = { VIOLATION: 'none' }
      const { code, record } = await certify(configuration, { env, args: args ?? [] })
      const open = record.findings.filter(({ verdict }) => !/^(pass|not-)/.test(verdict))
      expect(open).toEqual([])
      expect({ code, verdict: record.verdict }).toEqual({ code: 0, verdict: 'conformant' })
    })

    if (violations.length === 0) return
    test.each(violations)('%s is found', async (violation, where, requirement) => {
      const { record } = await certify(configuration, {
        env: { VIOLATION: violation },
        args: typeof where === 'string' ? ['--filter', where] : where,
      })
      const found = [...requirementsWith(record, 'fail'), ...requirementsWith(record, 'warn')]
      expect(found).toContain(requirement)
    })
  })
}

function builtBy(build: () => IndependentTool): IndependentTool | Error {
  try {
    return build()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
