import {
  cite,
  inconclusive,
  isAfter,
  NotOffered,
  pass,
  show,
  violation,
  type Need,
} from '../../../../../harness/engine/index.ts'
import { issuedGrant, tokenAccesses } from '../../../../oauth-client/view.ts'
import { membersOf } from '../../../wire/values.ts'
import { asksForInput } from '../../elicitation.ts'
import { check, type Judge } from '../checks.ts'
import { callOf, callsOf } from '../view.ts'
import type { Call } from '../session.ts'
import { needsAuthorization, needsModern, needsOtherArguments } from '../conditions.ts'
import { altered, grown, unsigned } from './altered-state.ts'
import { scenario } from './define.ts'
import { modernRevision } from './modern.ts'
import { ofUsers } from './users.ts'

const revision = modernRevision
const control = 'modern'

const usesState: Need = {
  what: 'a requestState',
  seen: (run) =>
    [...run.values()]
      .flatMap((t) => callsOf(t).flatMap(({ replies }) => replies))
      .find(({ message }) => message.kind === 'result' && stateIn(message.result) !== undefined)
      ?.event,
}

function stateIn(result: unknown): string | undefined {
  const { requestState } = membersOf(result)
  return typeof requestState === 'string' ? requestState : undefined
}

/** The retry of a call that asked for input, with its state. @throws NotOffered when it has none */
function retryOf(call: Call): { readonly requestState: string } {
  const params = call.retryParams()
  const state = stateIn(params)
  if (state === undefined) throw new NotOffered('no requestState was given')
  return { ...params, requestState: state }
}

const alteredState = scenario({
  id: 'altered-state',
  title: 'the retry brings an altered requestState, on revision 2026-07-28',
  control,
  notApplicable: needsModern,
  async drive({ begin, user, newUser, observe, authorization }) {
    const call = begin(user, { revision })
    await user.approve(call)
    const retry = call.retryParams()
    const state = stateIn(retry)
    const stranger = newUser('stranger')
    // Without authorization, what leads to the call is a secret of whoever has it.
    const states =
      state === undefined
        ? []
        : [...altered(state), ...(authorization ? [grown(state), ...unsigned(state)] : [])]
    const tried = states.map((requestState) =>
      begin(stranger, { revision, params: { ...retry, requestState } }),
    )
    await Promise.all(tried.map((each) => each.answered()))
    await observe()
  },
  checks: [
    ofUsers(
      check(
        'mcp-url-elicitation/server/state-integrity',
        'gives nothing for an altered state',
        believesNoAlteredState,
      ),
    ),
  ],
})

const foreignState = scenario({
  id: 'foreign-state',
  title: "another user presents a user's requestState, on revision 2026-07-28",
  control,
  notApplicable: (declared) => needsModern(declared) ?? needsAuthorization(declared),
  needs: usesState,
  async drive({ begin, user, newUser, observe }) {
    const call = begin(user, { revision })
    await user.approve(call)
    const other = begin(newUser('other'), { revision, params: retryOf(call) })
    await other.answered()
    await observe()
  },
  checks: [
    check(
      'mcp-url-elicitation/server/state-bound',
      'gives nothing to another principal',
      servesNothing("another user was served with a user's requestState"),
    ),
  ],
})

const otherRequest = scenario({
  id: 'state-of-another-request',
  title: 'the state of a call comes with a call of other arguments, on revision 2026-07-28',
  control,
  notApplicable: (declared) => needsModern(declared) ?? needsOtherArguments(declared),
  needs: usesState,
  async drive({ begin, user, otherArguments, observeWhilePending, observe }) {
    const call = begin(user, { revision })
    await call.awaitUrl()
    await call.answer('accept')
    const params = { ...retryOf(call), arguments: otherArguments }
    const other = begin(user, { revision, params })
    await other.arrived()
    await observeWhilePending()
    await user.approve(call)
    await other.settle(0)
    await observe()
  },
  checks: [
    check(
      'mcp-url-elicitation/server/state-for-its-request',
      'does not use the state for another request',
      rejectsOtherRequest(),
    ),
  ],
})

/** Times that a call needs to be answered of which it is watched whether the other one is. */
const margin = 4

/** A call that is neither refused nor asks for anything itself waits for what the state is of. */
function rejectsOtherRequest(): Judge {
  return (t) => {
    const [call, other] = [callOf(t), callOf(t, 'call-2')]
    if (!other.request) return inconclusive('no call came with the state')
    const grant = issuedGrant(call)
    if (!grant) return inconclusive('the user whose state it was has not authorized')
    const early = [
      ...other.ended.map(({ event }) => event),
      ...other.askings.map(({ frame }) => frame.event),
    ]
    const [answer] = early.filter((event) => isAfter(grant, event))
    if (answer)
      return pass('the state was rejected, or the call started again', cite(other.request, answer))
    const needed = (call.askings[0]?.frame.event.t ?? Infinity) - (call.request?.t ?? 0)
    if (grant.t - other.request.t < margin * needed)
      return inconclusive(
        'the answer took so long that the server may have started a new call',
        cite(other.request),
      )
    const served = other.ended.find(({ error }) => !error)
    if (!served) return pass('it was not served', cite(other.request, grant))
    return violation(
      'a call of other arguments went on with the state of another one',
      { expected: 'an error, or a question of its own', actual: show(served.text) },
      cite(other.request, grant, served.event),
    )
  }
}

/** Whoever comes with the state of another gets nothing of what that one has authorized. */
function servesNothing(message: string): Judge {
  return (t) => {
    const grant = issuedGrant(callOf(t))
    if (!grant) return inconclusive('the user whose state it was has not authorized')
    const [first, ...more] = callsOf(t).slice(1)
    if (!first?.request) return inconclusive('no call came with the state')
    const used = tokenAccesses(callOf(t)).find((access) => isAfter(access, first.request))
    if (used) {
      return violation(
        message,
        { expected: 'nothing of the other user', actual: show(used.detail['subject']) },
        cite(first.request, used),
      )
    }
    const answers = [first, ...more].map(
      ({ ended, askings }) => ended[0]?.event ?? askings[0]?.frame.event,
    )
    if (answers.includes(undefined)) return inconclusive('a call with the state was not answered')
    return pass('it was rejected, or meant nothing', cite(first.request, ...answers))
  }
}

/** A server need not give any state (MRTR, Server Requirements 3): then there is none that it could believe. */
function believesNoAlteredState(...judged: Parameters<Judge>): ReturnType<Judge> {
  const [t] = judged
  const call = callOf(t)
  const asked = call.replies.flatMap(({ event, message }) =>
    message.kind === 'result' && asksForInput(message.result)
      ? [{ event, state: stateIn(message.result) }]
      : [],
  )
  const grant = issuedGrant(call)
  if (grant && asked.length > 0 && asked.every(({ state }) => state === undefined))
    return pass('it gives no requestState', cite(...asked.map(({ event }) => event), grant))
  return servesNothing('an altered requestState was accepted')(...judged)
}

export const requestStateScenarios = [alteredState, foreignState, otherRequest]
