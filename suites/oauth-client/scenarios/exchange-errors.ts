/** The token endpoint refuses, fails, or answers in an unusual way. */

import {
  cite,
  inconclusive,
  isAfter,
  pass,
  violation,
  watched,
} from '../../../harness/engine/index.ts'
import type { Handoff } from '../handoff.ts'
import { waitedFor } from '../endings.ts'
import { afterTokenRequest, check, judgesOf, type Judge } from '../judges.ts'
import { codeGrants, upstreamAt } from '../view.ts'
import { scenario, type ClientScenario } from './define.ts'
import { approveWith, approveWithHeld } from './drives.ts'
import { redirected, type Redirected } from './redirects.ts'

/** Codes that the token endpoint refuses with invalid_grant, although the client does everything right. */
const invalidCodes = [
  ['expired-code', 'the code has expired', 'authorize-code-expired'],
  ['code-of-another-client', 'the code belongs to another client', 'authorize-code-other-client'],
  [
    'code-of-another-challenge',
    'the code belongs to another challenge',
    'authorize-code-other-challenge',
  ],
] as const

/** Answers of the token endpoint from which no token can be had. */
const failures = [
  ['token-error-invalid_request', 'invalid_request'],
  ['token-error-invalid_client', 'invalid_client'],
  ['token-error-invalid_grant', 'invalid_grant'],
  ['token-error-unauthorized_client', 'unauthorized_client'],
  ['token-error-unsupported_grant_type', 'unsupported_grant_type'],
  ['token-error-invalid_scope', 'invalid_scope'],
  ['token-error-500', 'HTTP 500'],
  ['token-error-503', 'HTTP 503'],
  ['token-connection-closed', 'a closed connection'],
  ['token-redirect', 'a redirect'],
  ['token-error-with-200', 'HTTP 200 with an error body'],
  ['token-truncated-json', 'truncated JSON'],
  ['token-html', 'an HTML page'],
  ['token-empty-body', 'an empty body'],
  ['token-without-access-token', 'no access_token'],
  ['token-error-echoes-code', 'an error text that echoes the code'],
  ['token-error-echoes-client-secret', 'an error text that echoes the client secret'],
  ['token-error-echoes-code-verifier', 'an error text that echoes the code verifier'],
] as const

/** After these the code may have been taken, so that it has been used. What HTTP sends again by itself is not among them. */
const afterWhich: readonly string[] = [
  'token-error-invalid_grant',
  'token-error-500',
  'token-error-503',
  'token-truncated-json',
  'token-html',
  'token-empty-body',
  'token-without-access-token',
]

/** Answers that a client may or may not be able to use; either way the call must end. */
const oddities = [
  ['token-form-encoded', 'tokens in a form-encoded body, as GitHub does'],
  ['token-expires-in-string', 'expires_in as a string, as Microsoft Entra does'],
  ['token-null-refresh-token', 'a null refresh_token, as Notion does'],
  ['token-without-token-type', 'no token_type, as WeChat does'],
] as const

/** Unusual answers that RFC 6749 §5.1 and §7.1 allow. */
const tolerable = [
  ['token-without-expires-in', 'no expires_in'],
  ['token-lower-case-bearer', 'a lower-case token type'],
  ['token-upper-case-bearer', 'an upper-case token type'],
  ['token-extra-members', 'members that it does not know'],
] as const

const tokenRequest: Redirected = {
  id: 'exchange-redirected-elsewhere',
  fault: 'token-redirect',
  requirement: 'oauth-client/no-credentials-elsewhere',
  what: 'token request',
  by: 'the token endpoint',
  of: (call) =>
    upstreamAt(call, '/token')[0] ?? 'no token request with the code of this flow was made',
}

export function exchangeErrorScenarios(handoff: Handoff): readonly ClientScenario[] {
  const { control, endsOnce, callOf } = handoff
  const { acceptsTokens, endsByItself, endsEventually, exchangesCode, reportsFailure } =
    judgesOf(handoff)
  const codes = invalidCodes.map(([id, title, fault]) =>
    scenario({
      id,
      title,
      control,
      drive: approveWith(fault),
      checks: [
        check(
          'oauth-client/report-invalid-code',
          `reports that ${title}`,
          reportsFailure('the refused code', afterTokenRequest),
        ),
        ...endsOnce('sends one result'),
      ],
    }),
  )

  const forgedCode = scenario({
    id: 'unknown-code',
    title: 'the code was never issued',
    control,
    async drive({ begin, user, observe, forgedCode }) {
      const call = begin(user)
      const flow = await user.consent(call)
      await user.follow(flow, user.tampered(flow, { code: forgedCode(call) }))
      await call.ended()
      await observe()
    },
    checks: [
      check(
        'oauth-client/report-invalid-code',
        'reports that the code is invalid',
        reportsFailure('the refused code', afterTokenRequest),
      ),
      ...endsOnce('sends one result'),
    ],
  })

  /**
   * Presented once, although the answer was of no use (RFC 6749 §4.1.2). Who does not know how clients authenticate here
   * tries the other method after any error, as golang.org/x/oauth2 does.
   */
  const codeOnce: Judge = (t) => {
    const call = callOf(t)
    const grants = codeGrants(call)
    if (grants.length === 0) return inconclusive('no code was presented')
    // Whoever asks its user anew presents the next code.
    const repeated = grants
      .map((grant) =>
        grants.filter((each) => each.detail['presented'] === grant.detail['presented']),
      )
      .find((alike) => alike.length > methodsOf(alike).size)
    if (repeated) {
      const difference = { expected: 'one token request', actual: `${repeated.length}` }
      const what = 'a code was presented again after its exchange had failed'
      return violation(what, difference, cite(...repeated))
    }
    // Whose user is asked anew has done with this code.
    const isOver = call.asked.some(({ event }) => isAfter(event, grants.at(-1)))
    if (!isOver && !waitedFor(call, t) && watched(t) === undefined)
      return inconclusive(
        'the run did not watch whether the code is presented again',
        cite(...grants),
      )
    return pass('one token request', cite(...grants))
  }

  const failing = failures.map(([fault, what]) =>
    scenario({
      id: `exchange-${fault.replaceAll('_', '-')}`,
      title: `the token endpoint answers with ${what}`,
      control,
      drive: approveWith(fault),
      checks: [
        check(
          'oauth-client/report-exchange-error',
          `reports ${what}`,
          reportsFailure('the failed exchange', afterTokenRequest),
        ),
        ...(afterWhich.includes(fault)
          ? [check('oauth-client/code-used-once', 'does not present the code again', codeOnce)]
          : []),
        ...endsOnce('sends one result'),
      ],
    }),
  )

  const hanging = scenario({
    id: 'exchange-never-answered',
    title: 'the token endpoint never answers',
    control,
    drive: approveWithHeld('token-hang'),
    checks: [
      check(
        'oauth-client/never-permanently-pending',
        'still ends the call',
        endsEventually('call-1', afterTokenRequest, 'a token request that was never answered'),
      ),
      ...endsOnce('sends nothing more when the answer comes late'),
    ],
  })

  const odd = oddities.map(([fault, what]) =>
    scenario({
      id: `exchange-${fault}`,
      title: `the token endpoint answers with ${what}`,
      control,
      drive: approveWith(fault),
      checks: [
        check(
          'oauth-client/never-permanently-pending',
          'ends the call, with or without tokens',
          endsByItself('an answer that it could not use', afterTokenRequest),
        ),
        ...endsOnce('sends one result'),
      ],
    }),
  )

  const tolerated = tolerable.map(([fault, what]) =>
    scenario({
      id: `exchange-${fault}`,
      title: `the token endpoint answers with ${what}`,
      control,
      drive: approveWith(fault),
      checks: [
        check('oauth-client/accept-valid-token-response', `accepts ${what}`, acceptsTokens()),
      ],
    }),
  )

  const reservedCharacters = scenario({
    id: 'code-with-reserved-characters',
    title: 'the code holds characters that need encoding, as those of Google do',
    control,
    async drive({ begin, user }) {
      const call = begin(user)
      await user.approve(call, { faults: ['authorize-code-reserved-characters'] })
      await call.ended()
    },
    checks: [check('oauth-client/exchange-code', 'exchanges such a code', exchangesCode())],
  })
  return [
    hanging,
    ...codes,
    forgedCode,
    ...failing,
    redirected(handoff, tokenRequest),
    ...odd,
    ...tolerated,
    reservedCharacters,
  ]
}

/** By which methods the client authenticated. */
function methodsOf(grants: ReturnType<typeof codeGrants>): Set<unknown> {
  return new Set(grants.map(({ detail }) => detail['clientAuthentication']))
}
