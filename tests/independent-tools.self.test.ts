/** What `aoc run` says about tools in other languages that nobody of us wrote, right and broken. */

import { describe, expect, test } from 'vitest'
import { buildTools } from './independent-tools.ts'
import { certify, requirementsWith } from './run-cli.ts'

const { tools, missing } = buildTools()

const anywhere = ['--shard', '1/40'] as const

/** What their authors broke, the scenario that shows it (or any few do), and the requirement that it breaks. */
const violations: Readonly<
  Record<string, readonly (readonly [string, string | typeof anywhere, string])[]>
> = {
  Python: [
    ['deny-first-only', 'two-calls-of-one-user-denied', 'report-denial'],
    ['flow-by-thread', 'two-users-in-one-thread', 'token-bound-to-user'],
    ['store-compressed', anywhere, 'encrypt-at-rest'],
  ],
  'Python by curl': [
    ['insecure', 'certificate-of-unknown', 'verify-provider-certificate'],
    ['retries-4xx', 'callback', 'no-callback-retry-on-4xx'],
    ['consent-of-the-last', 'two-users-in-one-thread', 'token-bound-to-user'],
  ],
  Perl: [
    ['refresh-token-forgotten', 'refresh-without-rotation', 'refresh-expired-token'],
    ['falsy-call-id', 'call-id-zero', 'echo-call-id'],
    ['users-trimmed', 'similar-user-ids', 'token-bound-to-user'],
    ['cancelled-by-id-alone', 'cancellation-in-another-thread', 'cancel-in-thread'],
    ['tls-unverified', 'certificate-of', 'verify-provider-certificate'],
  ],
  Go: [
    ['state-reopened-after-failed-exchange', 'state-of-failed-exchange', 'state-single-use'],
    ['follow-token-redirects', 'exchange-redirected-elsewhere', 'no-credentials-elsewhere'],
    ['timer-not-stopped', 'completed-before-timeout', 'single-result'],
  ],
  'Go, in Spanish': [
    ['state-with-more', 'state-extended', 'validate-state'],
    ['state-in-any-case', 'state-other-case', 'validate-state'],
    ['api-redirect-followed', 'api-redirected-elsewhere', 'no-token-elsewhere'],
    ['refresh-unverified', 'impostor-at-refresh', 'verify-provider-certificate'],
    ['made-up-with-count', 'api-fails-later', 'report-failed-operation'],
    ['refused-refresh-is-an-error', 'refresh-refused', 'reauthorize-when-token-invalid'],
  ],
  Java: [
    ['used-set-in-memory', 'callback-replayed-after-restart', 'state-single-use'],
    ['ack-after-refresh', 'refresh-held-back', 'acknowledge-immediately'],
    ['code-in-gzip-page', anywhere, 'no-secrets-in-output'],
  ],
}

test.skipIf(missing.length === 0)(`left out: ${missing.join('; ')}`, (context) => context.skip())

describe.each(tools.map((tool) => [tool.language, tool] as const))(
  'a tool in %s',
  (language, { configuration, args }) => {
    test('is conformant without a warning', async () => {
      const env = { VIOLATION: 'none' }
      const { code, record } = await certify(configuration, { env, args: args ?? [] })
      const open = record.findings.filter(({ verdict }) => !/^(pass|not-)/.test(verdict))
      expect(open).toEqual([])
      expect({ code, verdict: record.verdict }).toEqual({ code: 0, verdict: 'conformant' })
    })

    test.each(violations[language] ?? [])('%s is found', async (violation, where, requirement) => {
      const { record } = await certify(configuration, {
        env: { VIOLATION: violation },
        args: typeof where === 'string' ? ['--filter', where] : where,
      })
      const found = [...requirementsWith(record, 'fail'), ...requirementsWith(record, 'warn')]
      expect(found).toContain(requirement)
    })
  },
)
