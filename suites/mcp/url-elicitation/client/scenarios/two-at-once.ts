/** The server asks for two URLs at once: the user agrees to one of them, and declines the other. */

import {
  cite,
  inconclusive,
  isAfter,
  NotOffered,
  pass,
  show,
  violation,
  watchedAfter,
  type Need,
} from '../../../../../harness/engine/index.ts'
import { check, type Judge } from '../checks.ts'
import { needsHandshake, needsModern } from '../conditions.ts'
import { agreedTo, askedFor, openedUnagreed, type Asked } from '../each-url.ts'
import { callOf } from '../view.ts'
import { control, scenario, type ClientScenario } from './define.ts'
import { answersByKey } from './modern.ts'

/** Judges both, where the user could say different things of them. */
const onBoth =
  (judge: (both: readonly Asked[], ...context: Parameters<Judge>) => ReturnType<Judge>): Judge =>
  (t, context) => {
    const both = askedFor(callOf(t))
    const [first, second] = both
    if (!first || !second) return inconclusive('the client was not asked for two URLs')
    if (!both.some(agreedTo)) return inconclusive('the user could not agree to either')
    return judge(both, t, context)
  }

const acceptsOne = onBoth((both) => {
  const hasty = both.find(
    (each) =>
      each.reply?.action === 'accept' &&
      !(agreedTo(each) && isAfter(each.reply.event, each.decision)),
  )
  if (hasty) {
    return violation(
      'the client accepted a URL to which its user had not agreed, beside another one',
      { expected: 'no accept', actual: `accept for ${hasty.url}` },
      cite(hasty.asked, hasty.decision, hasty.reply?.event),
    )
  }
  const crossed = both.find((each) => agreedTo(each) && each.reply?.action === 'decline')
  if (crossed) {
    return violation(
      'the user agreed to one of two URLs, and the client declined it',
      { expected: 'accept', actual: `decline for ${crossed.url}` },
      cite(crossed.asked, crossed.decision, crossed.reply?.event),
    )
  }
  const accepted = both.find(({ reply }) => reply?.action === 'accept')
  if (!accepted) return inconclusive('the client accepted neither')
  return pass('it accepted the one to which its user had agreed', cite(accepted.reply?.event))
})

const declinesOther = onBoth((both, t) => {
  const declined = both.find(({ decision }) => decision?.detail['action'] === 'decline')
  if (!declined) return inconclusive('the user could not decline the other one')
  const { reply, decision } = declined
  if (reply && reply.action !== 'decline') {
    return violation(
      'the user declined one of two URLs, but the client answered something else',
      { expected: 'decline', actual: show(reply.action ?? reply.error) },
      cite(decision, reply.event),
    )
  }
  if (reply) return pass('it answered decline for that one', cite(decision, reply.event))
  if (watchedAfter(t, decision) === undefined)
    return inconclusive('the run did not watch what happened next')
  const [client] = t.steps('client')
  return client?.detail['modern'] === true
    ? pass('the call was not made again, which is up to the client', cite(decision))
    : inconclusive('the client did not answer', cite(decision))
})

const opensOne = onBoth((both, t) => {
  const early = openedUnagreed(both)
  if (early) {
    return violation(
      'a URL was opened to which the user had not agreed, beside another one',
      { expected: 'only what the user agrees to is opened', actual: early.url },
      cite(early.asked, early.decision, early.opened),
    )
  }
  const last = both.map(({ decision }) => decision).findLast(Boolean)
  if (watchedAfter(t, last) === undefined)
    return inconclusive('the run did not watch what happened next')
  return pass('nothing else was opened', cite(last))
})

/** A client may ask for both with one question; where one is refused, the call may end (2026-07-28). */
const distinct: Need = {
  what: 'two questions that can be told apart, and answers to them',
  seen: () => undefined,
}

const checks = [
  check(
    'mcp-url-elicitation/client/accept-after-consent',
    'accepts the one to which its user agrees',
    acceptsOne,
  ),
  check(
    'mcp-url-elicitation/client/decline-and-cancel',
    'answers for the one that its user declines',
    declinesOther,
  ),
  check(
    'mcp-url-elicitation/client/consent-before-opening',
    'opens the one to which its user agrees',
    opensOne,
  ),
]

const twoAtOnce = (
  id: string,
  title: string,
  own: Pick<ClientScenario, 'control' | 'notApplicable' | 'checks'>,
  options: { readonly modern?: boolean } = {},
): ClientScenario =>
  scenario({
    id,
    title,
    needs: distinct,
    ...own,
    async drive({ open, observe }) {
      const client = await open(options)
      const call = await client.begin()
      await call.ask({ twice: true })
      await call.decideBoth()
      await observe()
      if (options.modern && call.view().replies.length === 0)
        throw new NotOffered('the call was not made again')
    },
  })

export const twoAtOnceScenarios = [
  twoAtOnce('two-at-once', 'the server asks for two URLs; the user agrees to one of them', {
    control,
    notApplicable: needsHandshake,
    checks,
  }),
  twoAtOnce(
    'modern-two-at-once',
    'a result asks for two URLs; the user agrees to one of them',
    {
      control: 'modern',
      notApplicable: needsModern,
      checks: [
        ...checks,
        check('mcp-url-elicitation/client/answer-keys', 'answers each by its key', answersByKey),
      ],
    },
    { modern: true },
  ),
]
