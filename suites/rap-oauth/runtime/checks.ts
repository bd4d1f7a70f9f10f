/**
 * Judgements that several scenarios share. Each takes names of calls and deliveries and returns the function
 * that judges; each says `inconclusive` unless the transcript proves that the stimulus arrived.
 */

import {
  cite,
  inconclusive,
  pass,
  violation,
  type Check,
  type Judgement,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { tokensOf } from './attribution.ts'
import type { Declared } from './configuration.ts'
import { waits } from './vocabulary.ts'
import { claimedBy } from './pending-notice.ts'
import { cancellationsOf } from './interruption.ts'
import { firstGiven, givenIn } from './model-input.ts'
import { readingsOf } from '../../../harness/parties/host-user/url-in-text.ts'
import {
  arrived,
  askedOf,
  callOf,
  callsOf,
  delivered,
  gaveUp,
  idsOf,
  isAfter,
  show,
  shownWith,
  shownWithToken,
  statusOf,
  waitedInVain,
  watchedAfter,
  type Asked,
  type CallView,
  type Delivery,
} from './view.ts'

export type Judge = Check<Declared>['judge']

/** A check of calls that wait for something; what may have ended one before its time is no violation. */
export function check(requirement: string, title: string, judge: Judge): Check<Declared> {
  return { requirement, title, judge: unlessOverdue(judge) }
}

/** A check that no timeout of the runtime can disturb. */
export function checkAnyway(requirement: string, title: string, judge: Judge): Check<Declared> {
  return { requirement, title, judge }
}

/** On a machine that is slow enough, a runtime's own timeout ends calls before the scenario does. */
function unlessOverdue(judge: Judge): Judge {
  return (t, context) => {
    const judgement = judge(t, context)
    if (judgement.outcome !== 'violation' || !isOverdue(t, context.declared)) return judgement
    return inconclusive(
      `${judgement.message}; but the runtime's own timeout may have ended the call before (declares.userTimeout): set the runtime's timeout to {user.timeoutMs}, or run on a less busy machine`,
      judgement.evidence,
    )
  }
}

/** Whether something was sent for a call that the timeout which the runtime has by itself may have ended. */
function isOverdue(t: Transcript, { callTimeoutMs }: Declared): boolean {
  if (callTimeoutMs === undefined) return false
  return callsOf(t).some(({ toolCall, invocations, deliveries }) => {
    const begun = toolCall ?? invocations[0]
    // Nobody measures the same moments.
    return begun && deliveries.some(({ step }) => step.t - begun.t >= callTimeoutMs * 0.9)
  })
}

/** The exact URL was shown to the user of its conversation. */
export function surfacesUrl(name = 'oauth', call = 'call-1'): Judge {
  return (t) => {
    const oauth = delivered(t, name, call)
    if (!oauth?.request || oauth.url === undefined) return notDelivered(oauth, 'oauth message')
    const { conversation } = callOf(t, call)
    const shown = shownWith(t, oauth.url)
    const own = shown.find((each) => !each.conversation || each.conversation === conversation)
    const missed = gaveUp(t, waits.surfaced, call, name)
    const waited = waitedInVain(t, waits.surfaced, call, name)
    if (own && !(missed && isAfter(own, missed))) {
      return pass(`shown on ${own.source}`, cite(oauth.request, own))
    }
    // RAP sets no limit; what came after the waiting was not there when it was needed, which proves nothing.
    if (own) {
      const after = Math.round(own.t - oauth.request.t)
      return inconclusive(
        `the authorization URL was shown after ${after} ms, but the run waited only ${waited} ms: show it when it arrives, or declare how long that takes (declares.surfaceWithin)`,
        cite(oauth.request, own),
      )
    }
    if (died(oauth)) {
      return violation(
        'the oauth message got no answer, and its URL was not shown: the runtime must take messages of the type "oauth"',
        { expected: 'HTTP 200, and the URL shown to the user', actual: answerText(oauth) },
        cite(oauth.request, oauth.answer),
      )
    }
    const [elsewhere] = shown
    if (!reached(oauth) && !elsewhere) return notDelivered(oauth, 'oauth message')
    if (!elsewhere && waited === undefined) return inconclusive('the run did not wait for it')
    const [similar] = shownWithToken(t, oauth.token)
    return violation(
      elsewhere
        ? 'the authorization URL was shown only in another conversation'
        : similar
          ? 'the authorization URL was changed on its way to the user: show it exactly as it came'
          : 'the authorization URL of the oauth message was not shown to the user: show auth_url where the user sees it',
      {
        expected: oauth.url.slice(0, 600),
        actual: (elsewhere ?? similar)?.text.slice(0, 600) ?? `nothing within ${waited} ms`,
      },
      cite(oauth.request, elsewhere ?? similar),
    )
  }
}

/** Nothing is given to the model as the result of a pending call; saying that it is pending is allowed. */
export function keepsPending({ oauth = 'oauth', result = 'result', call = 'call-1' } = {}): Judge {
  return (t) => {
    const asks = delivered(t, oauth, call)
    if (!arrived(asks)) return notDelivered(asks, 'oauth message')
    const ends = delivered(t, result, call)
    const claim = claimsBetween(t, callOf(t, call), asks, ends)[0]
    if (claim) {
      return violation(
        `the model got ${claim.claim} for a call that still waits for its user: keep it pending until a tool_result arrives`,
        {
          expected: 'no result, or one that says that authorization is in progress',
          actual: show(claim.text.slice(0, 300)),
        },
        cite(asks.request, claim.asked.step),
      )
    }
    const cancelled = cancellationsOf(t, callOf(t, call)).find(
      (each) => isAfter(each, asks.request) && (!ends?.request || isAfter(ends.request, each)),
    )
    if (cancelled && !t.steps('cancel')[0]) {
      return violation(
        'the runtime cancelled the call while its user still had to authorize it: a message of the user must not end the call',
        { expected: 'no cancel_tool_call', actual: cancelled.body?.text ?? '' },
        cite(asks.request, cancelled),
      )
    }
    if (watchedAfter(t, asks.request) === undefined)
      return inconclusive('the run did not watch long enough')
    const given = ends && firstGiven(t, ends.token)
    if (!given) return inconclusive('the call did not complete later, so it may have been lost')
    return pass(
      'nothing before the tool_result',
      cite(asks.request, ends?.request, given.asked.step),
    )
  }
}

/** What was given to the model as the result of a call between two deliveries, and what it amounts to. */
export function claimsBetween(
  t: Transcript,
  call: CallView,
  from: Delivery | undefined,
  to: Delivery | undefined,
): { readonly asked: Asked; readonly text: string; readonly claim: string }[] {
  const token = from?.token
  return askedOf(t)
    .filter(({ step }) => from?.request && isAfter(step, from.request))
    .filter(({ step }) => !to?.request || isAfter(to.request, step))
    .flatMap((asked) =>
      asked.messages.flatMap(({ toolResults = [] }) =>
        toolResults
          .filter(({ callId }) => idsOf(call, asked).includes(callId))
          .flatMap(({ text, isError }) => {
            const claim = claimedBy(text, isError, token)
            return claim === undefined ? [] : [{ asked, text, claim }]
          }),
      ),
    )
}

/**
 * One invocation, whatever happens afterwards: the oauth message, what the user says, an error as the result. Until it is
 * acknowledged, or the tool has called back, an invocation may be sent again.
 */
export function invokesOnce({ oauth = 'oauth', call = 'call-1' } = {}): Judge {
  return (t) => {
    const asks = delivered(t, oauth, call)
    if (!arrived(asks)) return notDelivered(asks, 'oauth message')
    const { invocations } = callOf(t, call)
    const taken = [invocations[0] && t.answer(invocations[0]), asks.answer]
    const again = invocations.slice(1).filter((each) => taken.some((when) => isAfter(each, when)))
    if (again.length > 0) {
      return violation(
        'the runtime invoked the tool again for the same call: after authorization the tool itself retries, so do not invoke it again',
        { expected: 'one invocation', actual: `${again.length + 1} invocations` },
        cite(invocations[0], asks.request, ...again),
      )
    }
    const watched = watchedAfter(t, asks.request)
    if (watched === undefined) return inconclusive('the run did not watch long enough')
    return pass(`one invocation, watched for ${watched} ms`, cite(...invocations, asks.request))
  }
}

/** The result reached the model. */
export function deliversResult(name = 'result', call = 'call-1'): Judge {
  return (t) => {
    const result = delivered(t, name, call)
    if (!result?.request) return notDelivered(result, 'tool_result')
    const given = firstGiven(t, result.token)
    if (given) return pass('the model got it', cite(result.request, given.asked.step))
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
    const news = askedOf(t).filter(
      (asked) => asked.tools.length > 0 && isNews(asked, result.token) && !brokenOff(t, asked),
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

/** Whether the token stands in what was added since the model spoke last. */
function isNews(asked: Asked, token: string): boolean {
  const last = asked.messages.findLastIndex(({ role }) => role === 'assistant')
  return asked.messages.slice(last + 1).some(({ text }) => text.includes(token))
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

/** A valid message is answered 2xx. */
export function acceptsCallback(name: string, call = 'call-1'): Judge {
  return (t) => {
    const sent = delivered(t, name, call)
    if (!sent?.request) return inconclusive(`no ${name} was sent`)
    if (!sent.answer) return notDelivered(sent, name)
    const status = statusOf(sent)
    const evidence = cite(sent.request, sent.answer)
    if (status !== undefined && status >= 200 && status < 300) {
      return pass(`HTTP ${status}`, evidence)
    }
    return violation(
      `a valid ${name} message was not accepted`,
      { expected: 'HTTP 200', actual: answerText(sent) },
      evidence,
    )
  }
}

/** What is no valid callback is refused or ignored, without a server error. */
export function refusesProperly(name: string, call = 'call-1'): Judge {
  return (t) => {
    const sent = delivered(t, name, call)
    if (!sent?.request || !sent.answer) return inconclusive('it was not answered')
    if (!reached(sent)) return notDelivered(sent, 'message')
    const status = statusOf(sent)
    const evidence = cite(sent.request, sent.answer)
    if (status !== undefined && status < 500) return pass(`HTTP ${status}`, evidence)
    // A body that is too long may be cut off by closing the connection.
    const long = (sent.request.body?.bytes ?? 0) > 1024 * 1024
    const closed = sent.answer.type === 'failure' && !unanswered.has(sent.answer.code)
    if (closed && long) return pass('the connection was closed', evidence)
    return violation(
      status === undefined
        ? 'an invalid callback gets no answer: answer it with a 4xx status'
        : 'an invalid callback is answered with a server error: answer it with a 4xx status',
      { expected: '4xx, or 2xx and no effect', actual: answerText(sent) },
      evidence,
    )
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

/** Nobody was shown anything of a URL. `genuine` proves that URLs are shown. */
export function showsNothingOf(
  name: string,
  { genuine = 'oauth', call = 'call-1', exact = false } = {},
): Judge {
  return (t, { control }) => {
    const forged = delivered(t, name, call)
    if (!forged?.answer || !reached(forged)) return notDelivered(forged, 'message')
    const evidence = cite(forged.request, forged.answer)
    const shown = exact
      ? shownRaw(t, forged.url ?? forged.token)
      : shownWithToken(t, forged.token)[0]
    if (shown) {
      return violation(
        'the URL was shown to the user',
        { expected: 'nothing of it on any surface', actual: shown.text.slice(0, 300) },
        [...evidence, ...cite(shown)],
      )
    }
    if (watchedAfter(t, forged.request) === undefined)
      return inconclusive('the run did not watch long enough')
    const proof = shownUrl(t, genuine, call)
    if (proof) return pass('it was not shown', [...evidence, ...cite(proof)])
    // What came before may have ended the call; that URLs are shown at all is then known from the undisturbed twin.
    if (control && shownUrl(control, 'oauth'))
      return pass('neither the URL nor anything after it was shown', evidence)
    return inconclusive('the genuine URL was not shown either', evidence)
  }
}

/** What was shown and contains the URL without any escape: a character that is encoded can do no harm. */
function shownRaw(t: Transcript, url: string) {
  return shownWith(t, url).find(({ text }) => readingsOf(text).some((each) => each.includes(url)))
}

function shownUrl(t: Transcript, name: string, call = 'call-1') {
  const url = delivered(t, name, call)?.url
  return url === undefined ? undefined : shownWith(t, url)[0]
}

/** A message that could not be sent, or was not answered, proves nothing about its effect. */
export function notDelivered(delivery: Delivery | undefined, what: string): Judgement {
  if (!delivery) return inconclusive(`no ${what} was sent`)
  return inconclusive(`the ${what} got no answer: ${answerText(delivery)}`, cite(delivery.request))
}

/** Codes of failures in which nobody was there to take the message, or nobody ever answered it. */
const unanswered = new Set(['ECONNREFUSED', 'timeout'])

/** Whether somebody took the message, even if only to close the connection on it. */
export function reached({ answer }: Delivery): boolean {
  return (
    answer?.type === 'response' || (answer?.type === 'failure' && answer.code !== 'ECONNREFUSED')
  )
}

/** Whether the runtime took the message and then closed the connection: it did not cope. */
function died({ answer }: Delivery): boolean {
  return answer?.type === 'failure' && !unanswered.has(answer.code)
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

export function answerText({ answer }: Delivery): string {
  if (answer?.type === 'response') return `HTTP ${answer.status}`
  return answer?.message ?? 'no answer'
}
