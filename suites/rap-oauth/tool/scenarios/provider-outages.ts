/** The provider fails, or does not answer, before there is anything to send to the user. */

import {
  needsOwnInstance,
  noRefreshTokens,
  storedTokens,
} from '../../../oauth-client/scenarios/needs.ts'
import { expireToken } from '../../../oauth-client/scenarios/drives.ts'
import {
  cite,
  inconclusive,
  NotOffered,
  pass,
  violation,
  type Recorded,
  type RequestEvent,
  type Transcript,
  gaveUpAfter,
  isAfter,
  servedPath,
} from '../../../../harness/engine/index.ts'
import { check, type Judge } from '../checks.ts'
import type { IssuerFault } from '../test-bed.ts'
import { handoff } from '../handoff.ts'
import { callOf, citeMessages } from '../view.ts'
import { acknowledgedBeforeRelease, endsWithoutAnswer } from './held-back.ts'
import { scenario } from './define.ts'
import { requestWhileInvoked } from './needs.ts'

const control = 'authorize-and-complete'

/** What a tool may ask of its provider before it can ask its user. */
const requests = [
  ['discovery', 'the metadata', (path: string) => path.startsWith('/.well-known/')],
  ['register', 'the registration', (path: string) => path === '/register'],
  ['par', 'a pushed authorization', (path: string) => path === '/par'],
] as const

const held = requests.map(([endpoint, what, isThere]) =>
  scenario({
    id: `${endpoint === 'register' ? 'registration' : endpoint}-held-back`,
    title: `a call while ${what} is held back`,
    control,
    ownInstance: true,
    notApplicable: needsOwnInstance,
    needs: requestWhileInvoked(what, isThere),
    async drive({ ownInstance }) {
      const { tool, user, hasAsked } = await ownInstance([`${endpoint}-hang`])
      const call = tool.invoke({ as: user })
      // RAP: acknowledge before any work, so the request may come long after the acknowledgement.
      const asked = call.waitUntil(
        `no request for ${what}, and no message`,
        ({ answers }, t) => answers[0] ?? asksFor(t, isThere),
      )
      await Promise.allSettled([asked])
      await Promise.allSettled([call.awaitAck()])
      if (!hasAsked(isThere)) {
        tool.release()
        throw new NotOffered(`it does not ask for ${what} when it is invoked`)
      }
      await call.settle()
      tool.release()
      await call.answered()
    },
    checks: [
      check(
        'rap-oauth/tool/acknowledge-immediately',
        `acknowledges although ${what} does not come`,
        acknowledgedBeforeRelease('call-1', isThere),
      ),
      check(
        'oauth-client/never-permanently-pending',
        'ends a call whose provider never answers',
        endsWithoutAnswer(isThere, what),
      ),
    ],
  }),
)

const failing = requests.map(([endpoint, what, isThere]) =>
  scenario({
    id: `${endpoint === 'register' ? 'registration' : endpoint}-fails`,
    title: `a call while the provider answers ${what} with 500`,
    control,
    ownInstance: true,
    notApplicable: needsOwnInstance,
    needs: requestWhileInvoked(what, isThere),
    async drive({ ownInstance }) {
      const { tool, user, hasAsked } = await ownInstance([
        `${endpoint}-error-500` satisfies IssuerFault,
      ])
      const call = tool.invoke({ as: user })
      await call.answered()
      if (!hasAsked(isThere)) throw new NotOffered(`it does not ask for ${what} when it is invoked`)
    },
    checks: [
      check(
        'oauth-client/never-permanently-pending',
        'reports the failure',
        saysSomething(isThere),
      ),
    ],
  }),
)

const refreshFails = scenario({
  id: 'refresh-fails',
  title: 'the access token expires, and the provider answers the refresh with 500',
  control: 'stored-token',
  notApplicable: noRefreshTokens,
  needs: storedTokens(handoff),
  async drive(given) {
    const fixtures = await given.movable()
    const { tool, user } = fixtures
    await expireToken(fixtures, 'refresh-error-500')
    const second = tool.invoke({ as: user })
    // After a refresh that failed a tool may ask; one that asks at once has refreshed nothing.
    if ((await second.answered()) === 'asked') throw new NotOffered('it asked its user again')
  },
  checks: [
    check(
      'oauth-client/never-permanently-pending',
      'reports the failure',
      saysSomething((path) => path === '/token', 'call-2'),
    ),
  ],
})

function asksFor(
  t: Transcript,
  isThere: (path: string) => boolean,
  name = 'call-1',
): Recorded<RequestEvent> | undefined {
  const { request } = callOf(t, name)
  return t.requests('provider').find((each) => isThere(servedPath(each)) && isAfter(each, request))
}

/** Every invocation eventually produces a message, also where the provider refuses to help. */
function saysSomething(isThere: (path: string) => boolean, name = 'call-1'): Judge {
  return (t) => {
    const call = callOf(t, name)
    const refused = asksFor(t, isThere, name)
    if (!refused) return inconclusive('the tool sent no request to the provider during the call')
    const evidence = cite(call.request, refused, t.answer(refused))
    const message = call.answers.find(({ event }) => isAfter(event, refused))
    if (message) return pass(`a ${String(message.type)}`, [...evidence, ...citeMessages(message)])
    const waited = gaveUpAfter(t, call.name)
    if (waited === undefined) return inconclusive('the run did not wait for a message', evidence)
    return violation(
      'the provider failed, and the call got no message: send an error result',
      { expected: 'an error tool_result', actual: `no message within ${waited} ms` },
      evidence,
    )
  }
}

export const providerOutageScenarios = [...held, ...failing, refreshFails]
