/** Authorization requests compared: what must be new in each, and what must stay the same. */

import { cite, inconclusive, pass, show, violation } from '../../../harness/engine/index.ts'
import { derivationOf } from '../derived-values.ts'
import type { HandedCall } from '../handed-call.ts'
import type { Handoff } from '../handoff.ts'
import { check } from '../judges.ts'
import { statesVary } from '../varying-states.ts'
import { scenario, type ClientScenario } from './define.ts'

/** Enough to see a counter, a timestamp or a constant part in what should be random. */
const flows = 4

export function authorizationRequests({ control, callsOf }: Handoff): ClientScenario {
  return scenario({
    id: 'authorization-requests-compared',
    title: 'four users are asked to authorize; their requests are compared',
    control,
    async drive({ begin, newUser }) {
      const users = Array.from({ length: flows }, (_, index) => newUser(`user-${index + 1}`))
      for (const user of users) await user.arrive(begin(user))
    },
    checks: [
      check(
        'oauth-client/state-unpredictable',
        'state is new and unpredictable every time',
        (t) => {
          const calls = callsOf(t)
          const requests = requestsOf(callsOf(t))
          if (requests.length < flows)
            return inconclusive(`only ${requests.length} authorization requests arrived`)
          const states = requests.map((request) => request.detail['state'])
          const evidence = cite(...requests)
          if (!states.every((state) => typeof state === 'string' && state !== '')) {
            const difference = { expected: 'a state parameter', actual: show(states) }
            return violation('an authorization request has no state', difference, evidence)
          }
          const values = states as string[]
          if (new Set(values).size < values.length) {
            const difference = {
              expected: 'a different state in every request',
              actual: show(values),
            }
            return violation('the same state is used for several flows', difference, evidence)
          }
          const derived = calls.flatMap(
            ({ sentValues }, index) => derivationOf(values[index] ?? '', sentValues) ?? [],
          )[0]
          if (derived) {
            const difference = { expected: 'a random value', actual: `state is ${derived}` }
            return violation(
              'state can be computed from what the caller sent',
              difference,
              evidence,
            )
          }
          const unknown = values.map((value, index) => unknownPart(value, calls[index]))
          return statesVary(values, unknown, evidence)
        },
      ),
      check('oauth-client/pkce-s256', 'uses a fresh code challenge every time', (t) => {
        const requests = requestsOf(callsOf(t))
        if (requests.length < flows)
          return inconclusive(`only ${requests.length} authorization requests arrived`)
        const challenges = requests.map((request) => request.detail['codeChallenge'])
        if (challenges.some((challenge) => challenge === undefined)) {
          const difference = {
            expected: 'a code_challenge in every request',
            actual: show(challenges),
          }
          return violation(
            'an authorization request has no code challenge',
            difference,
            cite(...requests),
          )
        }
        if (new Set(challenges).size === challenges.length)
          return pass('all different', cite(...requests))
        const difference = { expected: 'a new challenge for each flow', actual: show(challenges) }
        return violation(
          'a code challenge is used for several flows',
          difference,
          cite(...requests),
        )
      }),
      check(
        'oauth-client/stable-redirect-uri',
        'uses registered redirect URIs',
        (t, { declared }) => {
          const requests = requestsOf(callsOf(t))
          if (requests.length < flows)
            return inconclusive(`only ${requests.length} authorization requests arrived`)
          const uris = [...new Set(requests.map((request) => request.detail['redirectUri']))]
          if (uris.length === 1) return pass(String(uris[0]), cite(...requests))
          const exact = declared.redirectMatching === 'exact'
          if (exact && requests.every((request) => request.detail['valid'] === true))
            return pass(`${uris.length} registered ones, matched exactly`, cite(...requests))
          const hint = exact ? waysOn(uris) : ''
          return violation(
            `the redirect URI changes from flow to flow and is not always a registered one${hint}`,
            {
              expected:
                'a redirect_uri that is registered (provider.client.redirectUris); per-flow data belongs into state',
              actual: show(uris),
            },
            cite(...requests),
          )
        },
      ),
    ],
  })
}

/** What lets the other checks go on: only the query may vary where whole redirect URIs are not registered. */
function waysOn(uris: readonly unknown[]): string {
  const places = new Set(uris.map((uri) => String(uri).split('?')[0]))
  return places.size === 1
    ? ' (provider.redirectMatching: "ignore-query" lets the other checks go on)'
    : ', and no provider has to let more than its query vary (RFC 6749 §3.1.2.2)'
}

/** The first authorization request of each call. */
function requestsOf(calls: readonly HandedCall[]) {
  return calls.flatMap((call) => call.authorizationRequests.slice(0, 1))
}

/** What is left of a state when everything that the caller sent is taken out of it, decoded where it is encoded. */
function unknownPart(state: string, call: HandedCall | undefined): string {
  const reading = decodedSegments(state)
  const rest = Object.values(call?.sentValues ?? {}).reduce<string>(
    (text, value) => (value ? text.replaceAll(value, '') : text),
    reading,
  )
  return rest === reading ? state : rest
}

/** The dot-separated segments of a value, each base64url-decoded where that gives readable text. */
function decodedSegments(value: string): string {
  return value
    .split('.')
    .map((segment) => {
      const text = Buffer.from(segment, 'base64url').toString('utf8')
      return /^[\t\n\r -~]{4,}$/.test(text) ? text : segment
    })
    .join('.')
}
