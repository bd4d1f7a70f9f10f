/** The server asks for one URL, and when the call is made again for another one. */

import {
  cite,
  inconclusive,
  isAfter,
  notApplicable,
  pass,
  show,
  violation,
  type Need,
} from '../../../../../harness/engine/index.ts'
import { textIn } from '../../../wire/values.ts'
import { check, type Judge } from '../checks.ts'
import { needsHandshake, needsModern, needsOpening } from '../conditions.ts'
import { agreedTo, askedFor, openedUnagreed } from '../each-url.ts'
import { showsLatest } from '../prompts.ts'
import { callOf } from '../view.ts'
import { scenario } from './define.ts'
import { echoes, onRetry, takesNewId } from './modern.ts'
import { promptedByError } from './required-error.ts'

const opensEachAfterConsent: Judge = (t, { declared }) => {
  const all = askedFor(callOf(t))
  const [first, second] = all
  const early = openedUnagreed(all)
  if (early) {
    return violation(
      'a URL was opened to which the user had not agreed, after another one of the same call',
      { expected: 'a prompt for each URL', actual: show(early.url) },
      cite(first?.decision, early.opened),
    )
  }
  const reason = needsOpening(declared)
  if (reason !== undefined) return notApplicable(reason)
  const { opened } = callOf(t)
  // One that differs a little is for the check of what is opened.
  const instead = opened.find(
    (each) =>
      first &&
      second?.decision &&
      isAfter(each, second.decision) &&
      leadsTo(first.url, textIn(each.detail['url'])),
  )
  if (second && agreedTo(second) && !second.opened && instead) {
    return violation(
      'the user agreed to the second URL, and the first one was opened',
      { expected: second.url, actual: show(instead.detail['url']) },
      cite(second.decision, instead),
    )
  }
  if (!second || !agreedTo(second) || !second.opened)
    return inconclusive('the second URL was not agreed to and opened')
  return pass('the user was asked for each', cite(first?.decision, second.decision, second.opened))
}

/** Whether what was opened is the page of a URL. */
function leadsTo(url: string, opened: string): boolean {
  return opened.split('?')[0] === url.split('?')[0]
}

const consent = check(
  'mcp-url-elicitation/client/consent-before-opening',
  'opens the second URL once its user has agreed to that',
  opensEachAfterConsent,
)

const showsEach: Judge = (t) => {
  const call = callOf(t)
  const [first, second] = askedFor(call)
  if (!first || !second) return inconclusive('the client was asked once')
  const prompts = call.prompts.filter((each) => isAfter(each, second.asked))
  return showsLatest(prompts, second, first.url)
}

const showsSecond = check(
  'mcp-url-elicitation/client/show-full-url',
  'shows the second URL in its prompt',
  showsEach,
)

/** Who may leave the second URL to its user may not say in their place that they agree. */
const acceptsEachAfterConsent: Judge = (t) => {
  const { replies, askings } = callOf(t)
  const [, second] = askedFor(callOf(t))
  if (!second) return inconclusive('the client was asked once')
  const accepted = replies.find(
    ({ event, action }) => action === 'accept' && isAfter(event, second.asked),
  )
  if (!accepted) return inconclusive('the client did not answer what it was asked then')
  const evidence = cite(askings[1]?.frame.event, second.decision, accepted.event)
  if (agreedTo(second) && isAfter(accepted.event, second.decision))
    return pass('it accepted when its user had', evidence)
  return violation(
    'the client answered accept although its user had not agreed to the second URL',
    { expected: 'no accept before the user agrees', actual: 'accept' },
    evidence,
  )
}

/** Who has been asked once for a call may leave what else it asks for to its user (2026-07-28, MRTR; docs/readings.md, clients 6). */
const secondPrompt: Need = {
  what: 'a prompt for another URL of the same call',
  seen: () => undefined,
}

/** What the second result has beside its URL. */
const secondResults = [
  {
    id: 'modern-asked-twice',
    title: 'the retry of a call asks for another URL, with another state',
    description: 'echoes the state of the second result',
    state: true,
  },
  {
    id: 'modern-second-without-state',
    title: 'the retry of a call asks for another URL, without a state',
    description: 'has no state any more',
    state: false,
  },
] as const

const modernScenarios = secondResults.map(({ id, title, description, state }) =>
  scenario({
    id,
    title,
    control: 'modern',
    needs: secondPrompt,
    notApplicable: needsModern,
    async drive({ open }) {
      const client = await open({ modern: true })
      const call = await client.begin()
      await call.ask()
      await call.prompted()
      await call.accept()
      await call.replied()
      await call.ask({ second: true, state })
      await call.acceptSecond()
      await call.replied()
      await call.finish()
    },
    checks: [
      consent,
      showsSecond,
      check(
        'mcp-url-elicitation/client/accept-after-consent',
        'accepts the second URL once its user has agreed to that',
        acceptsEachAfterConsent,
      ),
      check('mcp-url-elicitation/client/echo-state', description, onRetry(echoes, { nth: 1 })),
      check(
        'mcp-url-elicitation/client/new-id',
        'makes the second retry a new request',
        onRetry(takesNewId, { nth: 1 }),
      ),
    ],
  }),
)

export const askedTwiceScenarios = [
  ...modernScenarios,
  scenario({
    id: 'required-error-asked-twice',
    title: 'a call that is made again after -32042 is refused with another URL',
    control: 'required-error',
    needs: secondPrompt,
    notApplicable: needsHandshake,
    async drive(fixtures) {
      const call = await promptedByError(fixtures)
      await call.accept()
      call.complete()
      await call.retried()
      await call.ask({ byError: true, second: true })
      await call.acceptSecond()
    },
    checks: [consent, showsSecond],
  }),
]
