/** The server asks for one URL, and when the call is made again for another one. */

import {
  cite,
  inconclusive,
  isAfter,
  NotOffered,
  notApplicable,
  pass,
  show,
  violation,
} from '../../../../../harness/engine/index.ts'
import { textIn } from '../../../wire/values.ts'
import { check, type Judge } from '../checks.ts'
import { needsHandshake, needsModern, needsOpening } from '../conditions.ts'
import { callOf, isAbout } from '../view.ts'
import { scenario } from './define.ts'
import { echoes, onRetry, takesNewId } from './modern.ts'
import { prompting } from './required-error.ts'

/** Consent is for one URL (Safe URL Handling 2). */
const opensEachAfterConsent: Judge = (t, { declared }) => {
  const reason = needsOpening(declared)
  const call = callOf(t)
  const urls = [...new Set(call.askings.map(({ params }) => textIn(params['url'])))]
  const agreedTo = urls.map((url) => {
    const prompts = call.prompts.filter((prompt) => isAbout(prompt, url))
    return call.decisions.find(
      ({ detail }) =>
        detail['action'] === 'accept' &&
        prompts.some((prompt) => prompt.detail['id'] === detail['prompt']),
    )
  })
  const opened = urls.map((url) => call.opened.find(({ detail }) => detail['url'] === url))
  const hasty = urls.findIndex((_, at) => opened[at] && !isAfter(opened[at], agreedTo[at]))
  if (hasty >= 0) {
    return violation(
      'a URL was opened to which the user had not agreed, after another one of the same call',
      { expected: 'a prompt for each URL', actual: show(urls[hasty]) },
      cite(agreedTo[0], opened[hasty]),
    )
  }
  if (reason !== undefined) return notApplicable(reason)
  const second = agreedTo[1]
  if (!second || !opened[1]) return inconclusive('the second URL was not agreed to and opened')
  return pass('the user was asked for each', cite(agreedTo[0], second, opened[1]))
}

const consent = check(
  'mcp-url-elicitation/client/consent-before-opening',
  'opens the second URL once its user has agreed to that',
  opensEachAfterConsent,
)

export const askedTwiceScenarios = [
  scenario({
    id: 'modern-asked-twice',
    title: 'the retry of a call asks for another URL, with another state',
    control: 'modern',
    notApplicable: needsModern,
    async drive({ open }) {
      const client = await open({ modern: true })
      const call = await client.begin()
      await call.ask()
      await call.prompted()
      await call.accept()
      await call.replied()
      await call.ask({ second: true })
      await call.acceptSecond()
      await call.replied()
      await call.finish()
    },
    checks: [
      consent,
      check(
        'mcp-url-elicitation/client/echo-state',
        'echoes the state of the second result',
        onRetry(echoes, { nth: 1 }),
      ),
      check(
        'mcp-url-elicitation/client/new-id',
        'makes the second retry a new request',
        onRetry(takesNewId, { nth: 1 }),
      ),
    ],
  }),
  scenario({
    id: 'required-error-asked-twice',
    title: 'a call that is made again after -32042 is refused with another URL',
    control: 'required-error',
    needs: prompting,
    notApplicable: needsHandshake,
    async drive({ open }) {
      const client = await open()
      const call = await client.begin()
      await call.ask({ byError: true })
      if ((await call.settled()) !== 'prompted') throw new NotOffered('nobody was asked')
      await call.accept()
      call.complete()
      await call.retried()
      await call.ask({ byError: true, second: true })
      await call.acceptSecond()
    },
    checks: [consent],
  }),
]
