import { randomBytes } from 'node:crypto'
import {
  cite,
  inconclusive,
  NotOffered,
  pass,
  violation,
  type Evidence,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { textOf } from '../../messages.ts'
import { check, singleResult, type Judge } from '../checks.ts'
import type { Flow } from '../session.ts'
import {
  callOf,
  citeMessages,
  isAfter,
  issuedGrant,
  mark,
  mayHaveTimedOut,
  tokenAccesses,
  upstreamAt,
  type Message,
} from '../view.ts'
import { scenario } from './define.ts'
import { flowPerCall } from './needs.ts'

const control = 'authorize-and-complete'

/** Another state of the same shape: one character is exchanged, not the last, of which some bits may not count. */
function altered(flow: Flow, share = 1 / 2): string {
  const state = new URL(flow.redirect).searchParams.get('state') ?? ''
  const at = Math.floor(state.length * share)
  return state.slice(0, at) + (state[at] === 'a' ? 'b' : 'a') + state.slice(at + 1)
}

/** States that the tool never issued, delivered with a genuine code while the genuine flow is pending. */
const badStates = [
  ['state-missing', 'without state', () => undefined],
  ['state-empty', 'with an empty state', () => ''],
  ['state-altered', 'with one character of state altered', (flow: Flow) => altered(flow)],
  [
    'state-altered-late',
    'with a character in the last quarter of state altered',
    (flow: Flow) => altered(flow, 4 / 5),
  ],
  [
    'state-unknown',
    'with a state that the tool never issued',
    () => randomBytes(24).toString('base64url'),
  ],
] as const

const states = badStates.map(([id, title, state]) =>
  scenario({
    id,
    title: `a callback ${title}, then the genuine one`,
    control,
    async drive({ tool, user, observeWhilePending, mark }) {
      const call = tool.invoke({ as: user })
      const flow = await user.consent(call)
      mark('forged')
      await user.follow(flow, user.tampered(flow, { state: state(flow) }))
      await observeWhilePending()
      mark('genuine')
      await user.follow(flow)
      await call.awaitResult()
    },
    checks: [
      check('rap-oauth/tool/validate-state', `refuses a callback ${title}`, noTokenRequest()),
      check('rap-oauth/tool/ignore-forged-callback', 'completes nothing', completesNothing()),
      check('rap-oauth/tool/forged-callback-keeps-call', 'keeps the call pending', keepsCall()),
    ],
  }),
)

/**
 * Errors that the provider never sent. A tool that reports a mismatch of state as a failed flow does so for forged
 * codes too, as the control shows; one that ends the call only here has believed the error.
 */
const forgedErrors = badStates.map(([id, title, state]) =>
  scenario({
    id: `error-with-${id}`,
    title: `a callback that denies, ${title}, then the genuine one`,
    control: id,
    async drive({ tool, user, observeWhilePending, mark }) {
      const call = tool.invoke({ as: user })
      const flow = await user.consent(call)
      mark('forged')
      const denial = { error: 'access_denied', code: undefined, iss: undefined }
      await user.follow(flow, user.tampered(flow, { ...denial, state: state(flow) }))
      await observeWhilePending()
      mark('genuine')
      await user.follow(flow)
      await call.awaitResult()
    },
    checks: [
      check('rap-oauth/tool/validate-state', `refuses an error ${title}`, (t, context) => {
        const { control, declared } = context
        const call = callOf(t)
        const reached = reach(t)
        if (typeof reached === 'string') return inconclusive(reached)
        const ended = call.results.find((message) => window(t).inside(message.event))
        if (!ended) return pass('the call stayed pending', reached)
        const usual =
          control && callOf(control).results.some(({ event }) => window(control).inside(event))
        if (usual) return pass('it reports any mismatch of state as a failed flow', reached)
        if (mayHaveTimedOut(call, ended.event, declared.pendingTimeoutMs))
          return inconclusive('the declared pendingTimeout may have ended the call', reached)
        return violation(
          'a forged error was believed: it ended the call',
          {
            expected: 'no tool_result: the state is not that of the flow',
            actual: textOf(ended.value),
          },
          [...reached, ...citeMessages(ended)],
        )
      }),
    ],
  }),
)

const empty = scenario({
  id: 'callback-without-code-and-error',
  title: 'a callback with the right state, but neither code nor error, then the genuine one',
  control,
  async drive({ tool, user, observeWhilePending, mark }) {
    const call = tool.invoke({ as: user })
    const flow = await user.consent(call)
    mark('forged')
    await user.follow(flow, user.tampered(flow, { code: undefined, iss: undefined }))
    await observeWhilePending()
    mark('genuine')
    await user.follow(flow)
    await call.awaitResult()
  },
  checks: [check('rap-oauth/tool/ignore-forged-callback', 'completes nothing', completesNothing())],
})

/** Between the forged callback and the genuine one: what the forgery caused. */
function window(t: Transcript) {
  const from = mark(t, 'forged')
  const until = mark(t, 'genuine')
  const inside = (event: { t: number; seq: number }): boolean =>
    isAfter(event, from) && (until === undefined || isAfter(until, event))
  const forged = t.requests('browser').find(inside)
  const answer = forged && t.answer(forged)
  return { forged, answer, inside }
}

/** Reach: the tool answered the forged callback. */
function reach(t: Transcript): Evidence[] | string {
  const { forged, answer } = window(t)
  if (!forged) return 'the forged callback was not sent'
  if (!answer) return 'the forged callback was still unanswered at the end'
  if (answer.type !== 'response') return `the forged callback got no answer: ${answer.message}`
  return cite(forged, answer)
}

export function noTokenRequest(): Judge {
  return (t) => {
    const call = callOf(t)
    const request = call.authorizationRequests[0]
    const reached = reach(t)
    if (typeof reached === 'string') return inconclusive(reached)
    if (request && !request.detail['state']) {
      return violation(
        'the authorization request has no state, so no callback can be told from a forged one',
        { expected: 'a state parameter', actual: 'none' },
        cite(request),
      )
    }
    const grant = call.grants.find(window(t).inside)
    if (!grant) return pass('no token request followed', reached)
    return violation(
      'a forged callback was accepted: the tool went on to the token endpoint',
      {
        expected: 'no token request',
        actual: `a token request, ${String(grant.detail['outcome'])}`,
      },
      [...reached, ...cite(grant)],
    )
  }
}

function completesNothing(): Judge {
  return (t, { declared }) => {
    const call = callOf(t)
    const reached = reach(t)
    if (typeof reached === 'string') return inconclusive(reached)
    const grant = call.grants.find(
      (each) => window(t).inside(each) && each.detail['outcome'] === 'issued',
    )
    if (grant) {
      const difference = { expected: 'nothing is stored', actual: 'tokens were fetched' }
      return violation('a forged callback stored a token', difference, [...reached, ...cite(grant)])
    }
    const result = call.results.find((message) => window(t).inside(message.event))
    // An error result may be RAP's report of a failed flow; anything else is the result of the operation.
    const accessed = tokenAccesses(call).some(window(t).inside)
    if (result && !accessed && mayHaveTimedOut(call, result.event, declared.pendingTimeoutMs))
      return inconclusive('the declared pendingTimeout may have ended the call', reached)
    if (result && (accessed || namesAccount(t, result) || !tellsOfFailure(result))) {
      return violation(
        'a forged callback completed the call',
        { expected: 'no tool_result', actual: textOf(result.value) },
        [...reached, ...citeMessages(result)],
      )
    }
    return pass('nothing was stored and nothing completed', reached)
  }
}

/** RAP's "Error: " is a SHOULD, so a report without it is known by its words. */
function tellsOfFailure(result: Message): boolean {
  const words =
    /error|fail|denied|reject|refus|invalid|expired|mismatch|unable|could ?n.t|cannot|\bnot\b/i
  return words.test(textOf(result.value))
}

function namesAccount(t: Transcript, result: Message): boolean {
  const text = textOf(result.value)
  return t.provider('decision').some(({ detail }) => text.includes(String(detail['subject'])))
}

function keepsCall(): Judge {
  return (t, { declared, control }) => {
    const call = callOf(t)
    const reached = reach(t)
    if (typeof reached === 'string') return inconclusive(reached)
    const genuine = mark(t, 'genuine')
    const returned = t.requests('browser').find((request) => isAfter(request, genuine))
    const arrival = (returned && t.answer(returned)) ?? returned ?? genuine
    if (arrival && mayHaveTimedOut(call, arrival, declared.pendingTimeoutMs)) {
      return inconclusive(
        'the declared pendingTimeout may have been over before the genuine callback: declare a longer one, or use a faster machine',
        reached,
      )
    }
    const ended = call.results.find((message) => window(t).inside(message.event))
    if (ended) {
      return violation(
        'anyone who knows the callback URL can end the pending calls of others',
        {
          expected: 'the call stays pending for the genuine callback',
          actual: textOf(ended.value),
        },
        [...reached, ...citeMessages(ended)],
      )
    }
    const issued = call.grants.find(
      (grant) => grant.detail['outcome'] === 'issued' && isAfter(grant, genuine),
    )
    if (issued)
      return pass('the genuine callback still completed the call', [...reached, ...cite(issued)])
    if (control && !issuedGrant(callOf(control)))
      return inconclusive('no callback completes a call, not even an undisturbed one', reached)
    return violation(
      'after a forged callback the genuine one no longer completes the call',
      { expected: 'the genuine callback is accepted', actual: 'no tokens were issued' },
      reached,
    )
  }
}

const replayed = scenario({
  id: 'callback-replayed',
  title: 'the callback of a completed flow once more',
  control,
  async drive({ tool, user, observe, mark }) {
    const call = tool.invoke({ as: user })
    const flow = await user.approve(call)
    await call.awaitResult()
    mark('forged')
    await user.follow(flow)
    await observe()
  },
  checks: [
    check('rap-oauth/tool/state-single-use', 'ignores the replay', noTokenRequest()),
    check('rap-oauth/tool/single-result', 'sends no second result', singleResult()),
  ],
})

const failedState = scenario({
  id: 'state-of-failed-exchange',
  title: 'the callback of a flow whose exchange failed once more, when the provider works again',
  control,
  async drive({ tool, user, observe, mark }) {
    const call = tool.invoke({ as: user })
    const flow = await user.approve(call, { faults: ['token-error-500'] })
    await call.settle()
    user.setFaults(flow, [])
    mark('forged')
    await user.follow(flow)
    await observe()
  },
  checks: [
    check('rap-oauth/tool/state-single-use', 'the state was used by the failure', (t, context) =>
      upstreamAt(callOf(t), '/token').length === 0
        ? inconclusive('no token request was made that could fail')
        : noTokenRequest()(t, context),
    ),
    check('rap-oauth/tool/single-result', 'sends no second result', singleResult()),
  ],
})

const usedState = scenario({
  id: 'used-state-with-fresh-code',
  title: "a used state with the code of another user's flow",
  control,
  async drive({ tool, user, newUser, observe, mark }) {
    const attacker = newUser('attacker')
    const call = tool.invoke({ as: attacker })
    const fresh = await attacker.consent(call)
    const victims = tool.invoke({ as: user })
    const used = await user.approve(victims)
    await victims.awaitResult()
    mark('forged')
    const state = new URL(used.redirect).searchParams.get('state') ?? ''
    await attacker.follow(fresh, attacker.tampered(fresh, { state }))
    await observe()
  },
  checks: [
    check('rap-oauth/tool/state-single-use', 'refuses the used state', noTokenRequest()),
    check('rap-oauth/tool/single-result', 'sends no second result', singleResult('call-2')),
  ],
})

const deniedState = scenario({
  id: 'denied-state-with-code',
  title: "the state of a denied flow with the code of another user's flow",
  control,
  async drive({ tool, user, newUser, observe, mark }) {
    const attacker = newUser('attacker')
    const fresh = await attacker.consent(tool.invoke({ as: attacker }))
    const victims = tool.invoke({ as: user })
    const denied = await user.deny(victims)
    // Whether the denial is reported is for denied-consent to judge; the state is used in any case.
    await victims.settle()
    mark('forged')
    const state = new URL(denied.redirect).searchParams.get('state') ?? ''
    await attacker.follow(fresh, attacker.tampered(fresh, { state }))
    await observe()
  },
  checks: [
    check('rap-oauth/tool/state-single-use', 'refuses the used state', noTokenRequest()),
    check('rap-oauth/tool/single-result', 'sends no second result', singleResult('call-2')),
  ],
})

/**
 * Both states are pending, and nothing binds the browser to either flow, so a tool may try to redeem the code;
 * what counts is that no token comes of it (docs/decisions: what a foreign state can prove).
 */
function crossing(id: string, title: string, sameUser: boolean) {
  return scenario({
    id,
    title,
    control,
    ...(sameUser ? { needs: flowPerCall } : {}),
    async drive({ tool, user, newUser, observe, mark }) {
      const other = sameUser ? user : newUser('attacker')
      const [victims, attackers] = [tool.invoke({ as: user }), tool.invoke({ as: other })]
      const urls = await Promise.all([victims.awaitOAuth(), attackers.awaitOAuth()])
      if (urls[0] === urls[1]) throw new NotOffered('it has one flow for both calls')
      const own = await user.consent(victims)
      const foreign = await other.consent(attackers)
      mark('forged')
      const state = new URL(own.redirect).searchParams.get('state') ?? ''
      await other.follow(foreign, other.tampered(foreign, { state }))
      await observe()
    },
    checks: [
      check(
        'rap-oauth/tool/code-bound-to-flow',
        'gets no token for a code of another flow',
        (t) => {
          const [own, foreign] = [callOf(t, 'call-1'), callOf(t, 'call-2')]
          const reached = reach(t)
          if (typeof reached === 'string') return inconclusive(reached)
          const states = [own, foreign].map(
            (call) => call.authorizationRequests[0]?.detail['state'],
          )
          if (states[0] === states[1])
            return inconclusive('both flows have the same state, or none')
          const redeemed = issuedGrant(foreign)
          if (!redeemed)
            return pass('the code was not redeemed', [...reached, ...cite(...foreign.grants)])
          // Bound it was; that its state was not compared is for validate-state to judge.
          if (foreign.results.length > 0 && own.results.length === 0)
            return pass('the code was redeemed in its own flow', [...reached, ...cite(redeemed)])
          return violation(
            'a code was redeemed in a flow that it does not belong to: bind it with PKCE',
            {
              expected: 'no token (the verifier of the flow does not match the code)',
              actual: 'tokens were issued',
            },
            [...reached, ...cite(redeemed)],
          )
        },
      ),
    ],
  })
}

const twice = scenario({
  id: 'two-callbacks-at-once',
  title: 'the browser delivers the callback twice at the same time',
  control,
  async drive({ tool, user, observe }) {
    const call = tool.invoke({ as: user })
    const flow = await user.consent(call)
    await Promise.all([user.follow(flow), user.follow(flow)])
    await call.awaitResult()
    await observe()
  },
  checks: [
    check('rap-oauth/tool/code-used-once', 'presents the code once', (t) => {
      const call = callOf(t)
      const callbacks = t.requests('browser').filter((request) => request.url.includes('code='))
      if (callbacks.length < 2) return inconclusive('the callback was not delivered twice')
      const grants = call.grants.filter(
        (grant) => grant.detail['grantType'] === 'authorization_code',
      )
      if (grants.length === 0)
        return inconclusive('the code was not presented at all', cite(...callbacks))
      if (grants.length === 1) return pass('one token request', cite(...callbacks, ...grants))
      const difference = { expected: 'one token request', actual: `${grants.length}` }
      return violation(
        'two callbacks redeem the same code twice',
        difference,
        cite(...callbacks, ...grants),
      )
    }),
    check('rap-oauth/tool/single-result', 'sends one result', singleResult()),
  ],
})

export const forgedCallbackScenarios = [
  ...states,
  ...forgedErrors,
  empty,
  replayed,
  failedState,
  usedState,
  deniedState,
  crossing(
    'state-of-another-flow',
    'the code of one flow with the state of another, both of one user',
    true,
  ),
  crossing('state-of-another-user', "an attacker's code with the state of another user", false),
  twice,
]
