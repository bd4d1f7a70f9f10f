/** Judgements about the answer to a credential request, and about what the browser brought back. */

import {
  cite,
  inconclusive,
  isAfter,
  pass,
  show,
  violation,
  watched,
  type Evidence,
  type Judgement,
} from '../../../harness/engine/index.ts'
import { fieldsOf, member, requestName, textIn } from '../wire.ts'
import { exchangedText, missingIn } from './auth-config.ts'
import { afterCallback, ofAnswered, ofEvery, ofRequest, whenBack, type Judge } from './checks.ts'
import { isDenial, wordsAfter } from './denials.ts'
import { placeOf, sameUrl } from './urls.ts'
import { answerAfter, answersOf, askedOf, parameter, type Answer, type Asked } from './view.ts'

export const notAnswered = 'the request was not answered'

/** That the answer has the id of the request. */
export const answersById: Judge = afterCallback((asked, callback, t) => {
  const { id, paused } = asked.request
  // What is answered to another request is not the answer to this one.
  const others = askedOf(t).map((each) => each.request.id)
  const answer = answersOf(t).find(
    (each) =>
      isAfter(each.message.event, callback) &&
      (each.id === id || !others.includes(each.id)) &&
      (each.name === requestName || [id, paused].includes(each.id)),
  )
  if (!answer) return inconclusive(notAnswered)
  const evidence = cite(asked.event, answer.message.event)
  if (answer.id === id) return pass('the answer has the id of the request', evidence)
  const whose = answer.id === paused ? `${answer.id}, that of the paused call` : show(answer.id)
  return violation('the answer has another id', { expected: id, actual: whose }, evidence)
})

/** That the answer has the name of the request, and its AuthConfig. */
const judgeConfig = (asked: Asked): Judgement => {
  const [answer] = asked.answers
  if (!answer) return inconclusive(notAnswered)
  const evidence = cite(asked.event, answer.message.event)
  if (answer.name !== requestName) {
    const difference = { expected: requestName, actual: show(answer.name) }
    return violation('the answer has another name', difference, evidence)
  }
  const made = asked.completions.find((each) => each.made !== undefined)?.made
  const credential = fieldsOf(member(answer.value, 'exchangedAuthCredential'))
  const lost =
    missingIn(answer.value, asked.request.config) ??
    (made && missingIn(credential, made) && 'exchanged_auth_credential')
  if (lost === undefined) return pass('the answer carries the AuthConfig', evidence)
  return violation(
    `${lost} of the AuthConfig is missing or changed in the answer`,
    { expected: 'the AuthConfig as it came', actual: JSON.stringify(answer.value).slice(0, 600) },
    evidence,
  )
}

export const carriesConfig: Judge = ofRequest(judgeConfig)
export const carriesConfigs = (many: number): Judge => ofEvery(many, judgeConfig)
export const carriesConfigOfAnswered = (many: number): Judge => ofAnswered(many, judgeConfig)

/** That what the browser brought is passed on, with the redirect URI that was used. */
const judgeCallback = whenBack((asked, callback) => {
  // Which request a URL was for that the application made itself is not known for certain.
  const [any] = asked.authUri === undefined ? asked.answers : []
  const answer = answerAfter(asked, callback) ?? any
  if (!answer) return inconclusive(notAnswered)
  const given = { asked, answer, url: callback.url, evidence: cite(callback, answer.message.event) }
  return asked.request.dialect === 'call' ? callbackIn(given) : credentialIn(given)
})

export const passesOnCallback: Judge = ofRequest(judgeCallback)
export const passesOnCallbacks = (many: number): Judge => ofEvery(many, judgeCallback)
export const passesOnCallbackOfAnswered = (many: number): Judge => ofAnswered(many, judgeCallback)

/** An answer, and the callback that it has to bring. */
interface Given {
  readonly asked: Asked
  readonly answer: Answer
  readonly url: string
  readonly evidence: readonly Evidence[]
}

function callbackIn({ asked, answer: { value }, url, evidence }: Given): Judgement {
  const given = exchangedText(value, 'authResponseUri')
  if (given === undefined || !sameUrl(given, url)) {
    return violation(
      'authResponseUri differs from the callback URL that came',
      { expected: url, actual: show(given) },
      evidence,
    )
  }
  const opened = String(asked.opened[0]?.detail['url'])
  const used = parameter(opened, 'redirect_uri') ?? placeOf(url)
  const redirect = exchangedText(value, 'redirectUri')
  if (redirect === used) return pass('the callback was passed on as it came', evidence)
  return violation(
    'redirectUri differs from the one in the opened URL',
    { expected: show(used), actual: show(redirect) },
    evidence,
  )
}

/** At the consent leg: at the route, or in what the application itself has redeemed. */
function credentialIn({ asked, answer: { value }, url, evidence }: Given): Judgement {
  const [completion] = asked.completions
  if (!completion) {
    if (exchangedText(value, 'accessToken') !== undefined)
      return pass('the callback was redeemed', evidence)
    const expected = 'exchanged_auth_credential with an access token'
    return violation(
      'the answer has no credential, though the user has approved',
      { expected, actual: show(member(value, 'exchangedAuthCredential')) },
      evidence,
    )
  }
  for (const name of ['code', 'state']) {
    const [expected, actual] = [parameter(url, name), textIn(completion.sent[name])]
    if (expected === actual) continue
    return violation(
      `the ${name} was not passed on as it came`,
      { expected: show(expected), actual: show(actual) },
      [...evidence, ...cite(completion.event)],
    )
  }
  return pass('code and state were passed on as they came', evidence)
}

/** The application, the user and the session of the answer. */
const judgePlace = ({ event, place, answers, completions }: Asked): Judgement => {
  const [answer] = answers
  if (!answer) return inconclusive(notAnswered)
  const evidence = cite(event, answer.message.event)
  const [expected, actual] = [place, answer.message.place].map((each) => JSON.stringify(each))
  const [completion] = completions
  const told = completion && textIn(completion.sent['userId'])
  if (completion && told !== undefined && told !== place.user) {
    return violation(
      'the credential was made for another user than the one who was asked',
      { expected: show(place.user), actual: show(told) },
      cite(event, completion.event),
    )
  }
  if (expected === actual) return pass('the answer went to the session that asked', evidence)
  return violation(
    'the answer went to another session',
    { expected: expected ?? '', actual: actual ?? '' },
    evidence,
  )
}

export const staysInSession: Judge = ofRequest(judgePlace)
export const staysInSessions = (many: number): Judge => ofEvery(many, judgePlace)
export const staysInSessionOfAnswered = (many: number): Judge => ofAnswered(many, judgePlace)

/**
 * That a callback which is loaded twice is answered once; what the agent refused may be sent again. Of a denial words may
 * have told, so that nothing is answered at all.
 */
export const answersOnce: Judge = afterCallback((asked, callback, t) => {
  const answers = asked.answers.filter(({ message }) => isAfter(message.event, callback))
  const taken = answers.find(({ accepted }) => accepted)
  const made = asked.completions.find((each) => each.made !== undefined)
  const again =
    answers.find(({ message }) => isAfter(message.event, taken?.message.event))?.message ??
    asked.completions.find(({ event }) => isAfter(event, made?.event))
  if (again) {
    return violation(
      'a request was answered a second time',
      { expected: 'one answer', actual: 'another one, after the agent had taken the first' },
      cite(taken?.message.event ?? made?.event, again.event),
    )
  }
  const twice = asked.callbacks.filter((each) => t.answer(each)?.type === 'response')
  const told = taken?.message ?? (isDenial(callback) ? wordsAfter(t, asked, callback) : undefined)
  if (!told) return inconclusive(notAnswered)
  if (twice.length < 2 || watched(t, twice.at(-1)) === undefined)
    return inconclusive('the callback was not loaded twice')
  return pass(
    taken ? 'it was answered once' : 'the agent was told in words, and nothing was answered',
    cite(callback, twice.at(-1), told.event),
  )
})

/** That a callback with another state is not passed on. */
export const refusesForeign: Judge = ofRequest((asked, t) => {
  const url = textIn(t.steps('tamper')[0]?.detail['url'])
  const foreign = t.requests('browser').find((each) => each.url === url)
  if (!foreign || t.answer(foreign)?.type !== 'response')
    return inconclusive('the foreign callback did not reach the client application')
  const genuine = asked.callbacks[0]
  const passed =
    asked.answers.find(
      ({ message }) =>
        isAfter(message.event, foreign) && !(genuine && isAfter(message.event, genuine)),
    )?.message.event ?? foreignCompletion(asked, url)
  if (passed) {
    return violation(
      "a callback with another user's state was passed on to the agent",
      { expected: 'no answer', actual: `an answer to ${asked.request.id}` },
      cite(foreign, passed),
    )
  }
  if (watched(t, foreign) === undefined)
    return inconclusive('the run did not watch what happened next')
  return pass('it was not passed on', cite(foreign))
})

function foreignCompletion({ completions }: Asked, url: string | undefined) {
  const state = parameter(url ?? '', 'state')
  return completions.find(({ sent }) => sent['state'] === state)?.event
}
