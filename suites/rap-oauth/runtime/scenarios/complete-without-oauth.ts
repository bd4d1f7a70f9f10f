/** The control without authorization: the user asks, the tool is invoked, its result reaches the model. */

import { z } from 'zod'
import {
  cite,
  inconclusive,
  jsonOf,
  NotOffered,
  pass,
  violation,
  type Need,
} from '../../../../harness/engine/index.ts'
import { acceptsCallback, answerText } from '../judges/answers.ts'
import { check, type Judge } from '../judges/check.ts'
import { faithful, uniqueIds } from '../judges/invocations.ts'
import { deliversOnce, deliversResult, resultForRightCall } from '../judges/given-results.ts'
import { delivered, callOf, isJson, show } from '../view.ts'
import { quotedCode } from '../vocabulary.ts'
import { goOn, scenario } from './define.ts'

export const completeWithoutOAuth = scenario({
  id: 'complete-without-oauth',
  title: 'a call that needs no authorization',
  async drive({ converse, observe }) {
    const call = converse().ask()
    await call.awaitInvocation()
    const result = await call.result()
    await call.awaitGiven(result)
    await observe()
  },
  checks: [
    check('rap-oauth/runtime/invocation-is-json-post', 'posts its invocation as JSON', jsonPost()),
    check('rap-oauth/runtime/invocation-valid', 'sends a valid invocation', validInvocation()),
    check('rap-oauth/runtime/invocation-faithful', 'invokes what the model asked for', faithful()),
    check('rap-oauth/runtime/usable-callback-url', 'gives a usable callback URL', usableUrl()),
    check(
      'rap-oauth/runtime/accept-valid-callback',
      'accepts a tool_result',
      acceptsCallback('result'),
    ),
    check('rap-oauth/runtime/deliver-result', 'gives the result to the model', deliversResult()),
    check('rap-oauth/runtime/deliver-result-once', 'gives it to the model once', deliversOnce()),
    check(
      'rap-oauth/runtime/result-for-right-call',
      'gives it to the model as the answer to its call',
      resultForRightCall(),
    ),
  ],
})

/** Values that are lost or changed on their way where somebody writes down which arguments there are. */
const details = {
  filter: {
    labels: ['Äpfel & 三つ \u{1F34F}', 'A\u0308pfel', quotedCode, ''],
    exact: false,
    limit: 0,
    ratio: 0.5,
    since: null,
  },
  words: '',
  tags: [],
  page: null,
} as const

export const argumentsOfEveryKind = scenario({
  id: 'arguments-of-every-kind',
  title: 'the model writes arguments of every kind',
  control: completeWithoutOAuth.id,
  async drive({ converse }) {
    const call = converse().ask({ details })
    await call.awaitInvocation()
    await call.awaitGiven(await call.result())
  },
  checks: [
    check(
      'rap-oauth/runtime/invocation-faithful',
      'passes on arguments of every kind as they are',
      faithful(),
    ),
  ],
})

/** RAP does not ask for it: who has the result may give it to the model without calling the tool. */
const calledAgain: Need = { what: 'the same call once more', seen: () => undefined }

export const sameCallAgain = scenario({
  id: 'same-call-again',
  title: 'the model makes the very same call once more in a later turn',
  control: completeWithoutOAuth.id,
  needs: calledAgain,
  async drive({ converse }) {
    const conversation = converse()
    const first = conversation.ask()
    await first.awaitInvocation()
    await first.awaitGiven(await first.result())
    const again = conversation.ask({ like: first })
    await goOn(again.awaitInvocation())
    if (!again.isInvoked) throw new NotOffered('it does not make a call that it has made before')
    await again.awaitGiven(await again.result())
  },
  checks: [check('rap-oauth/runtime/unique-call-id', 'gives it an id of its own', uniqueIds())],
})

/** RAP Tool Invocation. Extra fields are allowed. */
const invocation = z.looseObject({
  operation: z.string().min(1),
  arguments: z.looseObject({}),
  id: z.string().min(1),
  call_id: z.string().nullish(),
  callback_url: z.string().min(1),
  group_id: z.string().min(1),
  thread_ancestors: z.array(z.string()).nullish(),
  user_id: z.string().nullish(),
})

function jsonPost(): Judge {
  return (t) => {
    const { invocations } = callOf(t)
    const [first] = invocations
    if (!first) return inconclusive('the tool was not invoked')
    if (first.method !== 'POST') {
      const difference = { expected: 'POST', actual: first.method }
      return violation('the invocation was not sent by POST', difference, cite(first))
    }
    if (!isJson(first.headers['content-type'])) {
      const actual = show(first.headers['content-type'])
      const difference = { expected: 'content-type: application/json', actual }
      return violation('the invocation has another content type', difference, cite(first))
    }
    if (jsonOf(first.body) === undefined) {
      const difference = { expected: 'JSON', actual: first.body?.text ?? 'no body' }
      return violation('the invocation is not JSON', difference, cite(first))
    }
    return pass('POST application/json', cite(first))
  }
}

function validInvocation(): Judge {
  return (t) => {
    const { invocations, sent } = callOf(t)
    if (!invocations[0]) return inconclusive('the tool was not invoked')
    const parsed = invocation.safeParse(sent)
    if (parsed.success) return pass('valid', cite(invocations[0]))
    const [issue] = parsed.error.issues
    return violation(
      `the invocation is invalid at ${issue?.path.join('.') || 'its top'}`,
      { expected: issue?.message ?? 'a valid invocation', actual: show(sent) },
      cite(invocations[0]),
    )
  }
}

function usableUrl(): Judge {
  return (t) => {
    const { invocations, sent } = callOf(t)
    if (!invocations[0]) return inconclusive('the tool was not invoked')
    const url = sent['callback_url']
    const usable = typeof url === 'string' && URL.canParse(url) && /^https?:/i.test(url)
    const expected = 'an absolute http or https URL that takes callbacks'
    if (!usable) {
      const difference = { expected, actual: show(url) }
      return violation('callback_url is not an absolute URL', difference, cite(invocations[0]))
    }
    const result = delivered(t, 'result')
    if (!result?.answer) return inconclusive('no callback was sent', cite(invocations[0]))
    const evidence = cite(invocations[0], result.request, result.answer)
    const status = result.answer.type === 'response' ? result.answer.status : undefined
    if (status !== undefined && status !== 404 && status !== 405) return pass(url, evidence)
    const difference = { expected, actual: `${url}: ${answerText(result)}` }
    return violation('nothing takes callbacks at callback_url', difference, evidence)
  }
}
