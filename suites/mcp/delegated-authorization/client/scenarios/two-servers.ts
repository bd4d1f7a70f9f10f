/** Two servers ask, the user agrees to both, and the callback of the second request comes first. */

import {
  cite,
  inconclusive,
  NotOffered,
  pass,
  show,
  Unreached,
  violation,
  watchedAfter,
  worstOf,
} from '../../../../../harness/engine/index.ts'
import { atOnce } from '../../../client/beside.ts'
import { textIn } from '../../../wire/values.ts'
import { agree } from '../going-through.ts'
import { opensAsAgreed } from '../prompts.ts'
import { returnsAllOf, returnsGenuineOf } from '../returning.ts'
import type { Call } from '../session.ts'
import type { Fixtures } from '../test-bed.ts'
import { agreedIn, callOf, openedFor, redirectOf } from '../view.ts'
import { check, control, scenario, type Judge } from './define.ts'

const names = ['call-1', 'call-2'] as const

const stateIn = (url: unknown): string | undefined =>
  URL.canParse(textIn(url)) ? (new URL(textIn(url)).searchParams.get('state') ?? '') : undefined

/** That no server is answered with the callback of the other one. */
const answersEachWithItsOwn: Judge = (t) => {
  const calls = names.map((name) => callOf(t, name))
  const states = calls.map(({ askings }) => stateIn(askings[0]?.params['url']))
  for (const [index, { askings, replies }] of calls.entries()) {
    const reply = replies.find(({ url }) => stateIn(url) === states[1 - index])
    if (!reply || states[1 - index] === undefined) continue
    return violation(
      'a server was answered with the callback of another one',
      { expected: `state ${show(states[index])}`, actual: show(reply.url) },
      cite(askings[0]?.frame.event, reply.event),
    )
  }
  const answers = calls.flatMap(({ replies }) =>
    replies.filter(({ url }) => typeof url === 'string'),
  )
  if (answers.length < calls.length) return inconclusive('the servers were not both answered')
  return pass('each got its own', cite(...answers.map(({ event }) => event)))
}

const returnsBoth: Judge = (t, context) => {
  const refused = callOf(t, 'call-2').replies.find(({ error }) => error !== undefined)
  if (refused) return inconclusive('the second request was refused', cite(refused.event))
  const both = names.map((name) => returnsAllOf(name)(t, context))
  return (
    worstOf(both) ??
    pass(
      'both as they came',
      both.flatMap(({ evidence }) => evidence),
    )
  )
}

/** Up to the browser; false where the client does not get that far. */
async function opened(call: Call): Promise<boolean> {
  try {
    await agree(call)
    return true
  } catch (error) {
    if (!(error instanceof Unreached)) throw error
    return false
  }
}

/** What two servers ask for at a time, opened in the browser. */
async function bothOpened({
  begin,
  beside,
}: Pick<Fixtures, 'begin' | 'beside'>): Promise<readonly [Call, Call]> {
  const first = await begin()
  if (!(await opened(first))) throw new Unreached('the first request was not opened')
  const second = await beside()
  if (!(await opened(second)) || first.view().replies.length > 0)
    throw new NotOffered('it does one thing after the other')
  return [first, second]
}

export const twoServers = scenario({
  id: 'two-servers',
  title: 'two servers ask, and the callback for the second one comes first',
  control,
  needs: atOnce,
  async drive(verbs) {
    const [first, second] = await bothOpened(verbs)
    await second.comesBack()
    await first.comesBack()
    await second.replied()
    // Its port may be that of the first request, which shows when its user has copied the URL already.
    if (second.view().replies[0]?.error !== undefined)
      throw new NotOffered('it does one thing after the other')
    await first.replied()
  },
  checks: [
    check(
      'mcp-delegated-authorization/client/code-to-asker-only',
      'answers each server with its own callback',
      answersEachWithItsOwn,
    ),
    check(
      'mcp-delegated-authorization/client/callback-exact',
      'returns both callbacks',
      returnsBoth,
    ),
  ],
})

export const strayOfAnotherServer = scenario({
  id: 'stray-of-another-server',
  title: 'two servers ask, and a callback with the state of the first one comes for the second',
  control,
  needs: atOnce,
  async drive(verbs) {
    const [first, second] = await bothOpened(verbs)
    const [one, other] = [first, second].map((call) => redirectOf(openedFor(call.view())))
    if (one === other) throw new NotOffered('both callbacks come to one place, told apart by state')
    await second.comesBack({ state: () => first.state })
    await second.comesBack()
    await second.replied()
    await first.comesBack()
  },
  checks: [
    check(
      'mcp-delegated-authorization/client/validate-callback',
      'returns only the callback of the second one',
      returnsGenuineOf('call-2'),
    ),
  ],
})

/** Consent is for one URL (SEP-1028, Client Security Requirements 2): what its user says goes to the question that it is for. */
const opensNoOther: Judge = (t, context) => {
  const agreed = agreedIn(callOf(t))
  const judgement = opensAsAgreed(callOf(t, 'call-2'), t, context)
  if (judgement.outcome !== 'pass') return judgement
  if (!agreed) return inconclusive('the user could not agree to the first request')
  if (watchedAfter(t, agreed) === undefined)
    return inconclusive('the run did not watch what happened next')
  return pass('nothing was opened for the other request', [...judgement.evidence, ...cite(agreed)])
}

export const bothAsk = scenario({
  id: 'both-servers-ask',
  title: 'two servers ask, and the user agrees to the first request alone',
  control,
  needs: atOnce,
  async drive({ begin, askBeside, observe }) {
    const first = await begin()
    await first.ask()
    await first.prompted()
    await askBeside({ host: 'signin.other.example', message: 'Please connect your notebook.' })
    // Whether more is asked about it, behind the other question perhaps, does not matter.
    await first.agreeIfAsked()
    await observe()
  },
  checks: [
    check(
      'mcp-delegated-authorization/client/consent-before-opening',
      'opens what its user has agreed to, and nothing else',
      opensNoOther,
    ),
  ],
})
