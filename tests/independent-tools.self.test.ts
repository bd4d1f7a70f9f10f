/** What `aoc run` says about tools in other languages that nobody of us wrote, right and broken. */

import { describe, expect, test } from 'vitest'
import { buildTools } from './independent-tools.ts'
import { certify, requirementsWith } from './run-cli.ts'

const { tools, missing } = buildTools()

/** What their authors broke, the scenario or check that shows it, and the requirement that it breaks. */
const violations: Readonly<Record<string, readonly (readonly [string, string, string])[]>> = {
  Python: [
    ['deny-first-only', 'two-calls-of-one-user-denied', 'report-denial'],
    ['flow-by-thread', 'two-users-in-one-thread', 'token-bound-to-user'],
    ['store-compressed', 'encrypt-at-rest', 'encrypt-at-rest'],
  ],
  Go: [
    ['state-reopened-after-failed-exchange', 'state-of-failed-exchange', 'state-single-use'],
    ['follow-token-redirects', 'exchange-redirected-elsewhere', 'no-credentials-elsewhere'],
    ['timer-not-stopped', 'completed-before-timeout', 'single-result'],
  ],
  Java: [
    ['used-set-in-memory', 'callback-replayed-after-restart', 'state-single-use'],
    ['ack-after-refresh', 'refresh-held-back', 'acknowledge-immediately'],
    ['code-in-gzip-page', 'no-secrets-in-output', 'no-secrets-in-output'],
  ],
}

test.skipIf(missing.length === 0)(`left out: ${missing.join('; ')}`, (context) => context.skip())

describe.each(tools.map((tool) => [tool.language, tool.configuration] as const))(
  'a tool in %s',
  (language, configuration) => {
    test('is conformant without a warning', async () => {
      const { code, record } = await certify(configuration, { env: { VIOLATION: 'none' } })
      const open = record.findings.filter(({ verdict }) => !/^(pass|not-)/.test(verdict))
      expect(open).toEqual([])
      expect({ code, verdict: record.verdict }).toEqual({ code: 0, verdict: 'conformant' })
    })

    test.each(violations[language] ?? [])('%s is found', async (violation, filter, requirement) => {
      const { record } = await certify(configuration, {
        env: { VIOLATION: violation },
        args: ['--filter', filter],
      })
      const found = [...requirementsWith(record, 'fail'), ...requirementsWith(record, 'warn')]
      expect(found).toContain(requirement)
    })
  },
)
