import { randomBytes } from 'node:crypto'
import {
  anyName,
  cite,
  inconclusive,
  pass,
  pathOf,
  violation,
  watched,
  type Judgement,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { stateIn } from '../../../oauth-client/other-states.ts'
import { forgeryReached, forgeryWindow } from '../../../oauth-client/scenarios/index.ts'
import { believesNothing, check, type Judge } from '../checks.ts'
import { needsCallDialect } from '../conditions.ts'
import { otherPath } from '../other-path.ts'
import type { Answer } from '../session.ts'
import type { Fixtures } from '../test-bed.ts'
import { callOf } from '../view.ts'
import { control, scenario, type AgentScenario } from './define.ts'
import { replacing, withState, withTokenEndpoint, without } from './rewriting.ts'

interface Altered {
  readonly id: string
  readonly title: string
  readonly requirement: string
  /** What is believed where it is, after "was believed". */
  readonly what: string
  /** The callback as it is handed on, and the rest of the answer; the genuine one follows. */
  readonly alter: (
    redirect: string,
    fixtures: Pick<Fixtures, 'configuration'>,
  ) => { readonly url: string; readonly answer?: Answer }
  readonly notApplicable?: AgentScenario['notApplicable']
  /** Default: no token request, and no run of the tool. */
  readonly judge?: Judge
}

/** An answer that is wrong in one thing, then the genuine one. */
function altered({
  id,
  title,
  requirement,
  what,
  alter,
  notApplicable,
  judge = believesNothing(what),
}: Altered): AgentScenario {
  return scenario({
    id,
    title,
    control,
    ...(notApplicable ? { notApplicable } : {}),
    async drive(fixtures) {
      const { begin, user, give, observe, mark } = fixtures
      const call = begin(user)
      const flow = await user.consent(call)
      const { url, answer = {} } = alter(flow.redirect, fixtures)
      mark('forged', { what })
      await give(call, url, answer)
      await observe()
      mark('genuine')
      await user.follow(flow)
      await call.settle()
    },
    checks: [check(requirement, 'does nothing because of it', judge)],
  })
}

const wrongIds = [
  altered({
    id: 'answer-with-unknown-id',
    title: 'the answer has an id that no request has, then the right one',
    requirement: 'adk-credential/agent/answer-id-matches',
    what: 'an answer to no request',
    alter: (url) => ({ url, answer: { id: `adk-${randomBytes(16).toString('hex')}` } }),
  }),
  altered({
    id: 'answer-with-other-name',
    title: 'the answer has another name than adk_request_credential, then the right one',
    requirement: 'adk-credential/agent/answer-id-matches',
    what: 'an answer with another name',
    // In the dialect of responses a confirmation answers the same call by the same id, and has a meaning of its own.
    alter: (url, { configuration }) => ({
      url,
      answer: {
        name: configuration.api.consent ? 'adk_request_credentials' : 'adk_request_confirmation',
      },
    }),
  }),
]

const otherSession = scenario({
  id: 'answer-in-other-session',
  title: 'the answer comes in a session that has asked for nothing, then in the right one',
  control,
  async drive({ begin, user, give, observe, mark }) {
    const call = begin(user)
    const flow = await user.consent(call)
    const idle = begin(user, { session: anyName('session'), tools: [] })
    await idle.waitUntil('no answer came', ({ ack }) => ack)
    mark('forged')
    await give(call, flow.redirect, { session: idle.session })
    await observe()
    mark('genuine')
    await user.follow(flow)
    await call.settle()
  },
  checks: [
    check(
      'adk-credential/agent/answer-id-matches',
      'does nothing because of it',
      believesNothing('an answer in another session'),
    ),
  ],
})

const innerStates = [
  altered({
    id: 'state-altered-throughout',
    title:
      'the callback and the AuthConfig have another state, the same in both, then the right one',
    requirement: 'adk-credential/agent/state-from-own-record',
    what: 'a state that the answer itself brought',
    notApplicable: needsCallDialect,
    alter(redirect) {
      const other = randomBytes(24).toString('base64url')
      const state = stateIn(redirect)
      return { url: withState(redirect, other), answer: { config: replacing(state, other) } }
    },
  }),
  altered({
    id: 'state-omitted-throughout',
    title: 'neither the callback nor the AuthConfig has a state, then both have',
    requirement: 'adk-credential/agent/state-from-own-record',
    what: 'a callback without state',
    notApplicable: needsCallDialect,
    alter(redirect) {
      const state = stateIn(redirect)
      return { url: withState(redirect, undefined), answer: { config: without(state) } }
    },
  }),
]

const partial = [
  altered({
    id: 'bare-code',
    title: 'the answer has the code without the callback, then with it',
    requirement: 'adk-credential/agent/bare-code-refused',
    what: 'a code without its callback',
    notApplicable: needsCallDialect,
    alter(url) {
      const authCode = new URL(url).searchParams.get('code')
      return { url, answer: { oauth2: { authResponseUri: undefined, authCode } } }
    },
  }),
  altered({
    id: 'callback-elsewhere',
    title: 'the callback is at another origin than the redirect URI, then at the right one',
    requirement: 'adk-credential/agent/callback-location-checked',
    what: 'a callback at another place',
    notApplicable: needsCallDialect,
    // The path is the same, so that nothing but the origin gives it away.
    alter(redirect) {
      const { pathname, search } = new URL(redirect)
      return { url: `https://another-application.example${pathname}${search}` }
    },
  }),
  altered({
    id: 'callback-at-longer-path',
    title:
      'the callback is at a path that only begins like the redirect URI, then at the right one',
    requirement: 'adk-credential/agent/callback-location-checked',
    what: 'a callback at a longer path',
    notApplicable: needsCallDialect,
    alter(redirect) {
      const url = new URL(redirect)
      url.pathname += '-of-another'
      return { url: url.href }
    },
  }),
]

const errorBesideCode = altered({
  id: 'error-beside-code',
  title: 'the callback has an error beside the code, then the code alone',
  requirement: 'adk-credential/agent/no-exchange-after-error',
  what: 'a code beside an error',
  judge: redeemsNothing,
  notApplicable: needsCallDialect,
  alter(redirect) {
    const url = new URL(redirect)
    url.searchParams.set('error', 'access_denied')
    return { url: url.href }
  },
})

/** The call may end, in whichever words: its user has denied. */
function redeemsNothing(t: Transcript): Judgement {
  const reached = forgeryReached(t)
  if (typeof reached === 'string') return inconclusive(reached)
  const { grants, accesses } = callOf(t)
  const caused = [...grants, ...accesses].find(forgeryWindow(t).inside)
  if (!caused) return pass('the error was believed', reached)
  return violation(
    'the code was redeemed although the callback has an error',
    { expected: 'no token request', actual: caused.event },
    [...reached, ...cite(caused)],
  )
}

const otherEndpoint = scenario({
  id: 'endpoints-in-answer',
  title: 'the AuthConfig of the answer names another token endpoint, then the genuine answer',
  control,
  notApplicable: needsCallDialect,
  async drive({ begin, user, give, observe, mark, otherEndpoint }) {
    const call = begin(user)
    const flow = await user.consent(call)
    const target = otherEndpoint(call, flow.redirect)
    mark('forged')
    await give(call, flow.redirect, { config: (config) => withTokenEndpoint(config, target) })
    await observe()
    mark('genuine')
    await user.follow(flow)
    await call.settle()
  },
  checks: [
    check('adk-credential/agent/endpoints-from-configuration', 'sends nothing there', (t) => {
      const reached = forgeryReached(t)
      if (typeof reached === 'string') return inconclusive(reached)
      const taken = callOf(t).upstream.find(({ url }) => pathOf(url) === otherPath)
      if (taken) {
        return violation(
          'the token request went to the endpoint that the answer named',
          { expected: 'the configured token endpoint, or none', actual: taken.url },
          [...reached, ...cite(taken)],
        )
      }
      if (watched(t) === undefined)
        return inconclusive('the run did not watch where the request goes', reached)
      return pass('nothing went there', reached)
    }),
  ],
})

export const alteredAnswerScenarios = [
  ...wrongIds,
  otherSession,
  ...innerStates,
  ...partial,
  errorBesideCode,
  otherEndpoint,
]
