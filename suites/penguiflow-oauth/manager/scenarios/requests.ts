/** What users are sent away with, where the configuration is unusual. */

import { randomBytes } from 'node:crypto'
import {
  cite,
  inconclusive,
  pass,
  show,
  violation,
  withoutSecretNames,
} from '../../../../harness/engine/index.ts'
import { calledOrRefused } from '../../called-or-refused.ts'
import { callOf, textIn } from '../../view.ts'
import { modelCalled } from '../../../../harness/parties/model-called.ts'
import type { Settings, Setup } from '../../start-framework.ts'
import { judgesOf } from '../../../oauth-client/judges.ts'
import { handoff } from '../handoff.ts'
import { check } from '../checks.ts'
import { needsUnknownProvider } from '../conditions.ts'
import { control, scenario } from './define.ts'

const { exchangesCode } = judgesOf(handoff)

/** A client id and scopes that need encoding; and a redirect URI with a query of its own. */
const oddId = 'client & co/100%+1'
const oddQuery = 'tenant=a%20b&next=%2Fdone'
const oddScopes = 'items:read items:write'
/** What the authorization endpoint has for a query of its own (RFC 6749 §3.1). */
const endpointQuery = 'audience=items%20api'

const reserved: NonNullable<Setup['settings']> = (usual, register) => {
  const callback = `${usual['callback.url']}?${oddQuery}`
  // What forms encode, so that Basic has to do it as well (RFC 6749 §2.3.1).
  const hasSecret = usual['provider.clientSecret'] !== ''
  const secret = hasSecret ? `${randomBytes(24).toString('base64url')}+/%&=` : ''
  register({
    clientId: oddId,
    clientSecret: secret,
    redirectUris: [callback],
    pkce: 'optional',
    scopes: oddScopes.split(' '),
  })
  return {
    ...usual,
    'callback.url': callback,
    'provider.clientId': oddId,
    'provider.clientSecret': secret,
    'provider.authorizationEndpoint': `${usual['provider.authorizationEndpoint']}?${endpointQuery}`,
    scopes: oddScopes,
  }
}

const oddClient = scenario({
  id: 'reserved-characters',
  title: 'client, redirect URI, scopes and endpoint hold reserved characters',
  control,
  ownInstance: true,
  async drive({ ownInstance, mark }) {
    const own = await ownInstance({
      state: 'none',
      settings(usual, register) {
        const told = reserved(usual, register)
        mark('told', pickTold(told))
        return told
      },
    })
    const call = own.begin(own.user)
    await own.user.approve(call)
    await call.settle()
  },
  checks: [
    check('oauth-client/exchange-code', 'redeems the code with them', exchangesCode()),
    check(
      'penguiflow-oauth/manager/request-encoded',
      'arrives as it was configured',
      (t, { control: twin }) => {
        const call = callOf(t)
        const [pause] = call.pauses
        const told = t.steps('mark')[0]?.detail ?? {}
        if (!pause) return inconclusive('nothing paused')
        if (!twin || callOf(twin).authorizationRequests.length === 0)
          return inconclusive('no authorization request arrives even without them')
        const url = textIn(pause.payload['auth_url']) ?? ''
        const [request] = call.authorizationRequests
        const evidence = cite(pause.event, request)
        const raw = unencodedIn(url)
        if (raw !== undefined) {
          const difference = {
            expected: 'reserved characters in percent-encoding',
            actual: show(raw),
          }
          return violation('the URL is not encoded', difference, evidence)
        }
        if (!hasQuery(url)) {
          const difference = {
            expected: `${endpointQuery} in the query`,
            actual: url.slice(0, 200),
          }
          return violation('the query of the endpoint is lost', difference, evidence)
        }
        if (!request) return inconclusive('the URL was not visited', evidence)
        const { clientId, redirectUri, scopes } = request.detail
        const differing = [
          ['client_id', told['clientId'], clientId],
          ['redirect_uri', told['redirectUri'], redirectUri],
          ['scope', oddScopes, sortedScopes(scopes)],
        ].find(([, expected, actual]) => expected !== actual)
        if (!differing) return pass('everything arrived as configured', evidence)
        const [name, expected, actual] = differing
        return violation(
          `${String(name)} did not arrive as configured`,
          { expected: show(expected), actual: show(actual) },
          evidence,
        )
      },
    ),
  ],
})

function pickTold(told: Settings) {
  return { clientId: told['provider.clientId'], redirectUri: told['callback.url'] }
}

function sortedScopes(scopes: unknown): string {
  return Array.isArray(scopes) ? scopes.map(String).sort().join(' ') : show(scopes)
}

/** The first character that RFC 3986 has only in percent-encoding, and its surroundings; secrets are left out. */
function unencodedIn(url: string): string | undefined {
  const text = withoutSecretNames(url)
  const wrong = /[^\w\-.~:/?#[\]@!$&'()*+,;=%]|%(?![0-9a-f]{2})/i.exec(text)
  return wrong ? text.slice(Math.max(0, wrong.index - 20), wrong.index + 20) : undefined
}

/** Whether what the endpoint had for a query stands in the URL as a parameter of its own; a value may hold a bare `?` (RFC 3986 §3.4). */
function hasQuery(url: string): boolean {
  const [, ...query] = url.split('?')
  return new URLSearchParams(query.join('?')).get('audience') === 'items api'
}

const plainHttp = (id: string, endpoint: string, where: string) =>
  scenario({
    id,
    title: `the authorization endpoint is configured with plain http, ${where}`,
    control,
    ownInstance: true,
    async drive({ ownInstance, mark }) {
      const settings = (usual: Settings): Settings => ({
        ...usual,
        'provider.authorizationEndpoint': endpoint,
      })
      const own = await ownInstance({ state: 'none', settings }).catch((error: unknown) => {
        if (!(error instanceof Error)) throw error
        mark('refused', { message: error.message })
      })
      await own?.begin(own.user).rest()
    },
    checks: [
      check(
        'penguiflow-oauth/manager/endpoints-https',
        'sends nobody there',
        (t, { control: twin }) => {
          if (!twin || callOf(twin).authorizationRequests.length === 0)
            return inconclusive('no user is sent away even in the normal case')
          const [refused] = t.steps('mark')
          if (refused) return pass('it does not start with that', cite(refused))
          // The configuration may be checked before anything else.
          const called = calledOrRefused(t, 'call-1', true)
          if (typeof called === 'string') return inconclusive(called)
          const { outcomes, pauses } = callOf(t)
          const [outcome] = outcomes
          if (!outcome) return inconclusive('the run neither paused nor ended', called)
          const evidence = [...called, ...cite(outcome)]
          const url = textIn(pauses[0]?.payload['auth_url'])
          if (url === undefined || !/^http:/i.test(url))
            return pass('nobody was sent there', evidence)
          const difference = { expected: 'an error', actual: url.split('?')[0] ?? '' }
          return violation('the user is sent away by plain http', difference, evidence)
        },
      ),
    ],
  })

const unknown = scenario({
  id: 'unknown-provider',
  title: 'the model calls a tool whose provider is not configured',
  control,
  notApplicable: needsUnknownProvider,
  async drive({ begin, user, tools }) {
    await begin(user, undefined, { tools: [tools.unknown!] }).rest()
  },
  checks: [
    check(
      'penguiflow-oauth/manager/unknown-provider',
      'sends nobody away',
      (t, { control: twin }) => {
        if (!twin || callOf(twin).pauses.length === 0)
          return inconclusive('no user is sent away even in the normal case')
        const called = modelCalled(t)
        if (typeof called === 'string') return inconclusive(called)
        const { outcomes } = callOf(t)
        const [outcome] = outcomes
        if (!outcome) return inconclusive('the run neither paused nor ended', called)
        const evidence = [...called, ...cite(outcome)]
        if (outcome.action !== 'paused') return pass('the tool failed', evidence)
        const difference = { expected: 'an error', actual: 'a pause' }
        return violation(
          'a user is sent to a provider that is not configured',
          difference,
          evidence,
        )
      },
    ),
  ],
})

export const requestScenarios = [
  oddClient,
  plainHttp('plain-http-endpoint', 'http://as.example/authorize', 'on another machine'),
  plainHttp(
    'plain-http-endpoint-prefix',
    'http://localhost.as.example/authorize',
    'on a machine whose name begins like the loopback interface',
  ),
  plainHttp(
    'plain-http-endpoint-userinfo',
    'http://127.0.0.1@as.example/authorize',
    'on another machine, with a loopback address before its name',
  ),
  plainHttp(
    'plain-http-endpoint-port',
    'http://as.example:8443/authorize',
    'on another machine, at a port that is usual for TLS',
  ),
  plainHttp(
    'plain-http-endpoint-capitals',
    'HTTP://as.example/authorize',
    'on another machine, whose scheme is written in capitals (RFC 3986 §3.1)',
  ),
  unknown,
]
