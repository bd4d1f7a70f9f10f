/** Judgements of what the model was given as a result. Each says `inconclusive` unless the transcript proves that the stimulus arrived. */

import {
  cite,
  inconclusive,
  pass,
  violation,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { tokensOf } from '../attribution.ts'
import { waits } from '../vocabulary.ts'
import { firstGiven, givenIn } from '../model-input.ts'
import { turnsOf } from '../side-requests.ts'
import {
  askedOf,
  callOf,
  delivered,
  idsOf,
  isAfter,
  show,
  waitedInVain,
  watchedAfter,
  type Asked,
  type CallView,
  type Delivery,
} from '../view.ts'
import { type Judge } from './check.ts'
import { notDelivered, reached, died, answerText } from './answers.ts'

/** The request that gave a delivery to the model. */
type FindGiven = (t: Transcript, call: CallView, result: Delivery) => Asked | undefined

/** The result reached the model: by default, in whichever request its token stands. */
export function deliversResult(
  name = 'result',
  call = 'call-1',
  find: FindGiven = (t, _, { token }) => firstGiven(t, token)?.asked,
): Judge {
  return (t) => {
    const result = delivered(t, name, call)
    if (!result?.request) return notDelivered(result, 'tool_result')
    const given = find(t, callOf(t, call), result)
    if (given) return pass('the model got it', cite(result.request, given.step))
    if (died(result)) {
      return violation(
        'the tool_result got no answer and did not reach the model',
        { expected: 'HTTP 200, and a request to the model', actual: answerText(result) },
        cite(result.request, result.answer),
      )
    }
    if (!reached(result)) return notDelivered(result, 'tool_result')
    const waited = waitedInVain(t, waits.given, call)
    if (waited === undefined)
      return inconclusive('the run did not wait for it', cite(result.request))
    return violation(
      'the tool_result did not reach the model: give it to the model when it arrives, however late',
      {
        expected: 'a request to the model with the text of the result',
        actual: `none within ${waited} ms after its answer (${answerText(result)})`,
      },
      cite(result.request, result.answer),
    )
  }
}

/** The result stands once in every request to the model, and is news to the model once. */
export function deliversOnce(name = 'result', call = 'call-1'): Judge {
  return (t) => {
    const result = delivered(t, name, call)
    if (!result) return inconclusive('no tool_result was sent')
    const given = firstGiven(t, result.token)
    if (!given) return inconclusive('the result did not reach the model', cite(result.request))
    const double = askedOf(t).find((asked) => givenIn(asked, result.token).length > 1)
    // A request that the runtime itself broke off was not answered: it may be asked anew.
    const news = turnsOf(t).filter(
      (asked) => isNews(t, asked, result.token) && !brokenOff(t, asked),
    )
    if (double || news.length > 1) {
      return violation(
        'the model got the same tool_result more than once',
        {
          expected: 'the result once',
          actual: double
            ? `${givenIn(double, result.token).length} times in one request`
            : `as news in ${news.length} requests`,
        },
        cite(result.request, double?.step, ...news.map(({ step }) => step)),
      )
    }
    if (watchedAfter(t, result.request) === undefined)
      return inconclusive('the run did not watch long enough')
    return pass('once', cite(result.request, given.asked.step))
  }
}

/**
 * Whether the token stands in what was added since the model spoke last. What is told at the end of every request, or in one
 * text with the whole conversation, is no news in a request that was made for later words of the user.
 */
function isNews(t: Transcript, asked: Asked, token: string): boolean {
  const last = asked.messages.findLastIndex(({ role }) => role === 'assistant')
  const first = firstGiven(t, token)?.asked
  if (first && saysMore(t, asked, first)) return false
  return asked.messages.slice(last + 1).some(({ text }) => text.includes(token))
}

/** Whether a request holds something that a user said and an earlier one does not hold. */
function saysMore(t: Transcript, asked: Asked, earlier: Asked): boolean {
  return [...t.steps('ask'), ...t.steps('say')]
    .map(({ detail }) => String(detail['reference']))
    .some((said) => givenIn(asked, said).length > 0 && givenIn(earlier, said).length === 0)
}

/** The result reached the model under the id of its tool call, in its conversation. */
export function resultForRightCall(name = 'result', call = 'call-1'): Judge {
  return (t) => {
    const result = delivered(t, name, call)
    const given = result && firstGiven(t, result.token)
    if (!given) return inconclusive('the result did not reach the model', cite(result?.request))
    const view = callOf(t, call)
    const evidence = cite(result.request, given.asked.step)
    const { conversation } = given.asked
    if (conversation !== undefined && conversation !== view.conversation) {
      const difference = { expected: view.conversation, actual: conversation }
      return violation('the result reached another conversation', difference, evidence)
    }
    const ids = idsOf(view, given.asked)
    if (given.callId !== undefined) {
      if (ids.includes(given.callId)) return pass(`for tool call ${given.callId}`, evidence)
      const difference = { expected: ids.map(String).join(' or '), actual: given.callId }
      return violation('the result answers another tool call', difference, evidence)
    }
    const named = [...ids, view.tool].some((word) => given.text.includes(word))
    const others = t
      .steps('ask')
      .filter(({ detail }) => detail['conversation'] === view.conversation)
    if (named || others.length === 1) return pass(`as a ${given.role} message`, evidence)
    return inconclusive('it came as a message without a tool call id', evidence)
  }
}

/** A result that belongs to no pending call never reaches the model. `genuine` proves that results do. */
export function ignoresResult(name: string, { genuine = 'result', call = 'call-1' } = {}): Judge {
  return (t) => {
    const forged = delivered(t, name, call)
    if (!forged?.answer || !reached(forged) || forged.token === '') {
      return notDelivered(forged, 'message')
    }
    const evidence = cite(forged.request, forged.answer)
    const given = firstGiven(t, forged.token)
    // A request that is none, because the message was taken as it came, holds it all the same.
    const holding = t.requests('model').find(({ body }) => tokensOf(body).includes(forged.token))
    if (given || holding) {
      return violation(
        'a message that belongs to no pending call was given to the model: discard it unless group_id and id match one',
        {
          expected: 'nothing of it in any request to the model',
          actual: show(
            given?.text.slice(0, 300) ?? around(holding?.body?.text ?? '', forged.token),
          ),
        },
        [...evidence, ...cite(given?.asked.step ?? holding)],
      )
    }
    if (watchedAfter(t, forged.request) === undefined)
      return inconclusive('the run did not watch long enough')
    const real = delivered(t, genuine, call)
    const proof = real && firstGiven(t, real.token)
    if (!proof) return inconclusive('the genuine result did not reach the model either', evidence)
    const later = askedOf(t).find(({ step }) => forged.request && isAfter(step, forged.request))
    if (!later) return inconclusive('the model was not asked afterwards', evidence)
    return pass('it was discarded', [...evidence, ...cite(later.step)])
  }
}

/** Whether the runtime broke off a request to the model before it was answered. */
export function brokenOff(t: Transcript, { step, exchange }: Asked): boolean {
  return t
    .requests('model')
    .some(
      (each) =>
        each.scenario === step.scenario &&
        each.exchange === exchange &&
        t.answer(each)?.type === 'failure',
    )
}

/** What stands around a token in a text. */
export function around(text: string, token: string): string {
  const at = text.indexOf(token)
  return text.slice(Math.max(0, at - 150), at + token.length + 50)
}
