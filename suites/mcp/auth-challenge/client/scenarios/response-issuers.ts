/**
 * Revision 2026-07-28 has MCP clients compare the issuer that an authorization response names, character by character, before
 * its code goes anywhere (MCP Authorization 2026-07-28, Authorization Response Validation).
 */

import {
  cite,
  inconclusive,
  pass,
  violation,
  watched,
} from '../../../../../harness/engine/index.ts'
import { answeredCallback } from '../../../../oauth-client/arrival.ts'
import { needsModern } from '../conditions.ts'
import { check, type Judge } from '../judges/judge.ts'
import { callOf } from '../view.ts'
import { scenario } from './define.ts'

/** What the response names in place of the issuer. */
const others: readonly (readonly [
  id: string,
  what: string,
  iss: (issuer: string) => string | undefined,
])[] = [
  ['wrong', 'names another issuer', () => 'https://another-issuer.example'],
  ['missing', 'names none, although the metadata promises it', () => undefined],
  [
    'begins-alike',
    'names a host whose name begins with the issuer',
    (issuer) => `${issuer}.example`,
  ],
  ['other-case', 'names the issuer in capitals', (issuer) => issuer.toUpperCase()],
  ['with-slash', 'names the issuer with a slash behind it', (issuer) => `${issuer}/`],
]

const redeemsNothing: Judge = (t) => {
  const reached = answeredCallback(t, 'call-1', 'code')
  if (typeof reached === 'string') return inconclusive(reached)
  const [grant] = callOf(t).grants
  if (grant) {
    return violation(
      'a code was redeemed although its response does not name the issuer of the metadata',
      {
        expected: 'no token request',
        actual: `a token request, ${String(grant.detail['outcome'])}`,
      },
      [...reached, ...cite(grant)],
    )
  }
  if (watched(t) === undefined) return inconclusive('the run did not watch what happens next')
  return pass('no token request followed', reached)
}

export const responseIssuerScenarios = others.map(([id, what, other]) =>
  scenario({
    id: `modern-issuer-${id}`,
    title: `on revision 2026-07-28 the authorization response ${what}`,
    control: 'modern',
    notApplicable: needsModern,
    async drive({ open, user, observe }) {
      const call = open(user, { modern: true }).begin()
      const flow = await user.consent(call)
      const iss = other(new URL(flow.redirect).searchParams.get('iss') ?? '')
      await user.follow(flow, user.tampered(flow, { iss }))
      await observe()
    },
    checks: [
      check(
        'mcp-auth-challenge/client/validate-response-issuer',
        'does not redeem its code',
        redeemsNothing,
      ),
    ],
  }),
)
