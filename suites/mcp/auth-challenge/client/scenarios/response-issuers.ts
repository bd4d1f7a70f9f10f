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
import type { Fixtures } from '../test-bed.ts'
import { scenario } from './define.ts'

const anotherIssuer = (): string => 'https://another-issuer.example'

/** What nobody but this response says. */
const errorOfAnother = {
  error: 'account_of_another_locked',
  error_description: 'Call the support line of another issuer.',
  error_uri: 'https://another-issuer.example/locked',
}

/** What the response names in place of the issuer. */
const others: readonly (readonly [
  id: string,
  what: string,
  iss: (issuer: string) => string | undefined,
])[] = [
  ['wrong', 'names another issuer', anotherIssuer],
  ['missing', 'names none, although the metadata promises it', () => undefined],
  [
    'begins-alike',
    'names a host whose name begins with the issuer',
    (issuer) => `${issuer}.example`,
  ],
  ['other-case', 'names the issuer in capitals', (issuer) => issuer.toUpperCase()],
  ['with-slash', 'names the issuer with a slash behind it', (issuer) => `${issuer}/`],
]

/** Whether or not the metadata promises an issuer, one that is named is compared. */
const unpromised = 'discovery-without-response-issuer'

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

/** Where its user reads what only the response says: in the window of the client, or on the page that the browser comes back to. */
const showsNoError: Judge = (t) => {
  const reached = answeredCallback(t, 'call-1', 'error')
  if (typeof reached === 'string') return inconclusive(reached)
  const words = Object.values(errorOfAnother)
  const tells = (text = ''): string | undefined => words.find((each) => text.includes(each))
  const page = t
    .requests('browser', 'call-1')
    .map((request) => t.answer(request))
    .find((answer) => answer?.type === 'response' && tells(answer.body?.text))
  const shown = callOf(t).shown.find(({ source, text }) => source !== 'stderr' && tells(text))
  const [found] = [shown, page].filter((each) => each !== undefined)
  if (found) {
    const text =
      found.type === 'surface' ? found.text : found.type === 'response' && found.body?.text
    return violation(
      'an error was shown whose response names another issuer',
      {
        expected: 'nothing of error, error_description or error_uri',
        actual: tells(text || '') ?? '',
      },
      [...reached, ...cite(found)],
    )
  }
  if (watched(t) === undefined) return inconclusive('the run did not watch what happens next')
  return pass('nothing of the error was shown', reached)
}

/** The response names this issuer in place of the right one. */
async function respondAs(
  { open, user, observe }: Fixtures,
  other: (issuer: string) => string | undefined,
): Promise<void> {
  const call = open(user, { modern: true }).begin()
  const flow = await user.consent(call)
  const iss = other(new URL(flow.redirect).searchParams.get('iss') ?? '')
  await user.follow(flow, user.tampered(flow, { iss }))
  await observe()
}

const notRedeemed = check(
  'mcp-auth-challenge/client/validate-response-issuer',
  'does not redeem its code',
  redeemsNothing,
)

export const responseIssuerScenarios = [
  ...others.map(([id, what, other]) =>
    scenario({
      id: `modern-issuer-${id}`,
      title: `on revision 2026-07-28 the authorization response ${what}`,
      control: 'modern',
      notApplicable: needsModern,
      drive: (fixtures) => respondAs(fixtures, other),
      checks: [notRedeemed],
    }),
  ),
  scenario({
    id: 'modern-issuer-unpromised',
    title:
      'on revision 2026-07-28 the authorization response names another issuer, and the metadata does not promise any',
    control: 'modern',
    ownInstance: true,
    notApplicable: needsModern,
    drive: async ({ ownInstance }) => respondAs(await ownInstance(unpromised), anotherIssuer),
    checks: [notRedeemed],
  }),
  scenario({
    id: 'modern-issuer-wrong-in-error',
    title: 'on revision 2026-07-28 an authorization response with an error names another issuer',
    control: 'modern',
    notApplicable: needsModern,
    async drive({ open, user, observe }) {
      const call = open(user, { modern: true }).begin()
      const flow = await user.consent(call, { action: 'deny' })
      const iss = anotherIssuer()
      await user.follow(flow, user.tampered(flow, { iss, ...errorOfAnother }))
      await observe()
    },
    checks: [
      check(
        'mcp-auth-challenge/client/validate-response-issuer',
        'shows nothing of it',
        showsNoError,
      ),
    ],
  }),
]
