import { asNotOffered, type Need } from '../../../../harness/engine/index.ts'
import {
  alteredState,
  cutState,
  extendedState,
  stateIn,
  stateInOtherCase,
} from '../../../oauth-client/other-states.ts'
import { answersOnce, passesOnCallback, refusesForeign, staysInSession } from '../answer-checks.ts'
import { answersNothingBefore, check, detectsRequest } from '../checks.ts'
import { forwardsDenial } from '../denials.ts'
import { showsFailure } from '../failure-shown.ts'
import type { Foreign } from '../session.ts'
import { askedOf } from '../view.ts'
import { control, needsListener, scenario } from './define.ts'

export const denied = scenario({
  id: 'denied',
  title: 'the user denies',
  control,
  async drive({ open }) {
    const client = await open()
    const call = await client.begin()
    await call.complete('deny')
    await call.heardOf()
  },
  checks: [check('adk-credential/client/denial-forwarded', 'tells the agent', forwardsDenial)],
})

/** The second request reached it. Whoever has denied may be taken at their word, and their conversation be over. */
const askedAnew: Need = {
  what: 'a conversation that goes on after a denial',
  seen: (run) => {
    const t = run.get(deniedBefore.id)
    return t && askedOf(t, 'call-2')[0]?.event
  },
}

export const deniedBefore = scenario({
  id: 'asked-again-after-denial',
  title: 'the user denies, and is asked for another credential when they say it again',
  control: 'denied',
  needs: askedAnew,
  async drive({ open }) {
    const client = await open()
    const call = await client.begin()
    await call.complete('deny')
    await call.heardOf()
    await call.told()
    const again = await client.begin().catch(asNotOffered)
    await again.delivered().catch(asNotOffered)
    await again.opened()
  },
  checks: [
    check(
      'adk-credential/client/request-detected',
      'does not take the denial for an answer to what is asked later',
      detectsRequest('call-2'),
    ),
  ],
})

/** Consents fail for other reasons as well (RFC 6749 §4.1.2.1), and the call waits no less. */
export const failedAtProvider = scenario({
  id: 'error-at-provider',
  title:
    'the authorization server refuses the client: the callback has another error than a denial',
  control,
  notApplicable: needsListener,
  async drive({ open }) {
    const client = await open()
    const call = await client.begin()
    const redirect = await call.decide()
    await call.loadForeign(redirect, { state: stateIn(redirect), error: 'unauthorized_client' })
    await call.heardOf()
  },
  checks: [
    check('adk-credential/client/error-forwarded', 'tells the agent of that', forwardsDenial),
  ],
})

const another = 'state-of-somebody-else'

const foreign = (id: string, title: string, of: (state: string) => Foreign) =>
  scenario({
    id,
    title,
    control,
    notApplicable: needsListener,
    async drive({ open, observe }) {
      const client = await open()
      const call = await client.begin()
      const redirect = await call.decide()
      await call.loadForeign(redirect, of(stateIn(redirect)))
      await observe()
      await call.load(redirect)
      await call.settle()
    },
    checks: [
      check('adk-credential/client/foreign-state-refused', 'does not pass it on', refusesForeign),
    ],
  })

export const foreignState = foreign(
  'foreign-state',
  'a callback with the state of somebody else comes before the genuine one',
  () => ({ state: another }),
)

/** Who looks a request up by a part of its state, as by an index of it, takes what only resembles it. */
export const foreignStatesAlike = [
  foreign(
    'foreign-state-alike',
    'a callback whose state differs in one late character comes before the genuine one',
    (state) => ({ state: alteredState(state, 4 / 5) }),
  ),
  foreign(
    'foreign-state-other-case',
    'a callback whose state has upper and lower case swapped comes before the genuine one',
    (state) => ({ state: stateInOtherCase(state) }),
  ),
  foreign(
    'foreign-state-cut',
    'a callback with the first three quarters of the state comes before the genuine one',
    (state) => ({ state: cutState(state, 3 / 4) }),
  ),
  foreign(
    'foreign-state-extended',
    'a callback with extra text after the state comes before the genuine one',
    (state) => ({ state: extendedState(state) }),
  ),
]

/** RFC 6749 §4.1.2.1: an error comes with the state as well. */
export const foreignDenial = foreign(
  'foreign-denial',
  'a denial with the state of somebody else comes before the genuine callback',
  () => ({ state: another, error: 'access_denied' }),
)

/** RFC 6749 §4.1.2: the state is there if the request had one. */
export const missingState = foreign(
  'missing-state',
  'a callback without a state comes before the genuine one',
  () => ({ state: undefined }),
)

export const missingStateDenial = foreign(
  'missing-state-denial',
  'a denial without a state comes before the genuine callback',
  () => ({ state: undefined, error: 'access_denied' }),
)

const double = (id: string, title: string, decision: 'approve' | 'deny') =>
  scenario({
    id,
    title,
    control,
    notApplicable: needsListener,
    async drive({ open, observe }) {
      const client = await open()
      const call = await client.begin()
      const redirect = await call.decide(decision)
      await call.load(redirect)
      // A denial may be told in words.
      await (decision === 'approve' ? call.answered() : call.heardOf())
      await call.told()
      await call.load(redirect)
      await observe()
    },
    checks: [check('adk-credential/client/answered-once', 'answers once', answersOnce)],
  })

export const doubleCallback = double(
  'double-callback',
  'the browser loads the callback twice',
  'approve',
)

export const doubleDenial = double(
  'double-denial',
  'the user denies, and the browser loads the callback twice',
  'deny',
)

export const callbacksAtOnce = scenario({
  id: 'callbacks-at-once',
  title: 'the browser loads the callback twice at once, and the agent takes its time',
  control,
  notApplicable: needsListener,
  async drive({ open, observe }) {
    const client = await open()
    const call = await client.begin()
    const redirect = await call.decide()
    const release = client.holdBack()
    const watching = call.answered().then(observe).finally(release)
    await Promise.all([watching, call.load(redirect), call.load(redirect)])
    await observe()
  },
  checks: [check('adk-credential/client/answered-once', 'answers once', answersOnce)],
})

export const talkWhilePending = scenario({
  id: 'talk-while-pending',
  title: 'the user says something else before they approve',
  control,
  notApplicable: needsListener,
  async drive({ open, observe }) {
    const client = await open()
    const call = await client.begin()
    await call.opened()
    await call.say('What is the weather like?')
    await observe()
    await call.complete()
    await call.answered()
  },
  checks: [
    check(
      'adk-credential/client/no-answer-before-callback',
      'answers nothing meanwhile',
      answersNothingBefore,
    ),
    check(
      'adk-credential/client/callback-verbatim',
      'passes the callback on afterwards',
      passesOnCallback,
    ),
    check(
      'adk-credential/client/same-session',
      'answers in the session that was asked in',
      staysInSession,
    ),
  ],
})

export const agentError = scenario({
  id: 'agent-error',
  title: 'the agent fails when it is answered',
  control,
  async drive({ open, observe }) {
    const client = await open()
    const call = await client.begin({ fails: true })
    await call.complete()
    await call.answered()
    await call.told()
    await observe()
    await call.askForNews()
    await observe()
  },
  checks: [check('adk-credential/client/failure-shown', 'tells its user', showsFailure)],
})
