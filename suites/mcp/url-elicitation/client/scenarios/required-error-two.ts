/** The error -32042 lists two URLs, which have to be complete before the call can be made again. */

import {
  cite,
  inconclusive,
  isAfter,
  notApplicable,
  pass,
  violation,
} from '../../../../../harness/engine/index.ts'
import { textIn } from '../../../wire/values.ts'
import { check, unanswered, type Judge } from '../checks.ts'
import { needsHandshake, needsOpening } from '../conditions.ts'
import { askedFor, openedUnagreed } from '../each-url.ts'
import { agreedIn, callOf, isAbout } from '../view.ts'
import { scenario } from './define.ts'
import { promptedByError, prompting } from './required-error.ts'

const presentsAll: Judge = (t) => {
  const call = callOf(t)
  const [first] = call.askings
  const required = call.askings
    .filter(({ frame }) => frame === first?.frame)
    .map(({ params }) => textIn(params['url']))
  const agreed = agreedIn(call)
  if (!first || required.length < 2) return inconclusive('the error did not require two URLs')
  if (!agreed) return inconclusive('the user could not agree to either')
  // A prompt that shows no URL is about one of them.
  const unnamed = call.prompts.filter((prompt) => !required.some((url) => isAbout(prompt, url)))
  const shown = required.map(
    (url, index) => call.prompts.find((prompt) => isAbout(prompt, url)) ?? unnamed[index],
  )
  const retry = call.attempts.find(({ event }) => isAfter(event, first.frame.event))
  const again = t.steps('again')[0]
  const byItself = retry && !isAfter(retry.event, again) ? retry.event : undefined
  const missing = required.find((_, index) => !shown[index] || isAfter(shown[index], byItself))
  if (missing === undefined)
    return pass('the user was asked for both', cite(first.frame.event, ...shown))
  if (byItself) {
    return violation(
      'the call was made again although its user had not been asked for everything that the error requires',
      { expected: 'prompts for both, then the call', actual: `no prompt for ${missing}` },
      cite(first.frame.event, agreed, byItself),
    )
  }
  const message = 'of two URLs that the error requires one is not shown'
  return unanswered(t, call, agreed, message)
}

/** Of what the error lists, nothing is opened but what its user has agreed to. */
const opensAgreed: Judge = (t, { declared }) => {
  const call = callOf(t)
  const listed = askedFor(call).filter(({ asked }) => asked === call.askings[0]?.frame.event)
  const early = openedUnagreed(listed)
  if (early) {
    return violation(
      'of two URLs that the error requires one was opened to which the user had not agreed',
      { expected: 'a prompt for each URL', actual: early.url },
      cite(early.asked, agreedIn(call), early.opened),
    )
  }
  const reason = needsOpening(declared)
  if (reason !== undefined) return notApplicable(reason)
  if (listed.length < 2) return inconclusive('the error did not require two URLs')
  const opened = listed.filter((each) => each.opened)
  if (opened.length < 2) return inconclusive('not both were opened')
  return pass(
    'both were opened once the user had agreed to each',
    cite(...opened.flatMap((each) => [each.decision, each.opened])),
  )
}

export const errorRequiresTwo = scenario({
  id: 'required-error-two',
  title: 'a call is refused with -32042, which requires two URLs',
  control: 'required-error',
  needs: prompting,
  notApplicable: needsHandshake,
  async drive(fixtures) {
    const call = await promptedByError(fixtures, { twice: true })
    await call.acceptEach()
    await call.retried()
    await call.finish()
  },
  checks: [
    check(
      'mcp-url-elicitation/client/handle-required-error',
      'asks its user for all that the error requires',
      presentsAll,
    ),
    check(
      'mcp-url-elicitation/client/consent-before-opening',
      'opens each once its user has agreed to that',
      opensAgreed,
    ),
  ],
})
