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
  type Recorded,
  type RequestEvent,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { fieldsOf, member, requestName, textIn } from '../wire.ts'
import { exchangedText, missingIn } from './auth-config.ts'
import { afterCallback, missing, ofEvery, ofRequest, whenBack, type Judge } from './checks.ts'
import { placeOf, sameUrl } from './urls.ts'
import {
  answerAfter,
  answersOf,
  askedOf,
  messagesOf,
  parameter,
  type Answer,
  type Asked,
  type Message,
  type Place,
} from './view.ts'

const notAnswered = 'the request was not answered'

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

function isDenial({ url }: Recorded<RequestEvent>): boolean {
  return parameter(url, 'error') !== undefined
}

function wordsAfter(t: Transcript, { place }: Asked, callback: Recorded<RequestEvent>) {
  return messagesOf(t).find(
    (each) => isAfter(each.event, callback) && isSame(each.place, place) && hasWords(each.parts),
  )
}

function isSame(one: Place, other: Place): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** That the agent hears of a denial, in whichever way. */
export const forwardsDenial: Judge = afterCallback((asked, callback, t) => {
  const told = messagesOf(t).find((each) => isAfter(each.event, callback))
  if (!isDenial(callback)) return inconclusive('the user did not deny')
  if (!told) {
    return missing(t, 'answered', asked, {
      message: 'the user denied, but the agent was not told',
      expected: 'the callback with the error, or a message',
    })
  }
  const evidence = cite(callback, told.event)
  const same = isSame(told.place, asked.place)
  const hides = hidesDenial(asked, told)
  if (same && hides !== undefined) {
    return violation(
      'the agent was answered as if the user had not denied',
      { expected: 'the callback as it came, with its error, or words', actual: hides },
      evidence,
    )
  }
  if (same) return pass('the agent was told of the denial', evidence)
  const difference = { expected: JSON.stringify(asked.place), actual: JSON.stringify(told.place) }
  return violation('another session was told of the denial', difference, evidence)
})

/**
 * What says nothing of a denial, where a request was answered and no word stands beside. By a name of its own an answer is
 * none to a request by a call; to one by a response it is what came of the paused call, which may say so. Otherwise:
 * to a request by a call a callback without its error, or an AuthConfig without a callback.
 */
function hidesDenial({ request, answers }: Asked, { event, parts }: Message): string | undefined {
  const answer = answers.find(({ message }) => message.event.seq === event.seq)
  if (!answer || hasWords(parts)) return undefined
  const says = /error|den(y|ied)|cancel|declin/i.test(JSON.stringify(answer.value))
  const byCall = request.dialect === 'call'
  if (answer.name !== requestName)
    return byCall || !says ? `a functionResponse named ${show(answer.name)}` : undefined
  if (!byCall) return undefined
  const uri = exchangedText(answer.value, 'authResponseUri')
  // Whether it is the whole URL is another question.
  if (uri !== undefined) return /[?&]error=/.test(uri) ? undefined : uri
  const isConfig = member(answer.value, 'authScheme') !== undefined
  return isConfig && !says ? 'an AuthConfig without authResponseUri' : undefined
}

function hasWords(parts: readonly unknown[]): boolean {
  return parts.some((part) => textIn(fieldsOf(part)['text']))
}

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

/** That a user whose answer fails is told something that nobody is told when all goes well. */
export const showsFailure: Judge = (t, { control }) => {
  const [asked] = askedOf(t)
  const answer = asked?.answers[0]
  if (!asked || !answer) return inconclusive(notAnswered)
  if (!answer.failed) return inconclusive('the answer did not fail')
  if (!control || askedOf(control)[0]?.answers[0]?.accepted !== true)
    return inconclusive('the run does not know what is shown after a success')
  const { event: since } = answer.message
  const after = shownIn(t).filter(({ event }) => isAfter(event, since))
  const usual = shownIn(control).map(({ text }) => text)
  const known = wordsOf(usual.join('\n'))
  const words = [...wordsOf(after.map(({ text }) => text).join('\n'))].filter(
    (word) => !known.has(word),
  )
  const evidence = cite(since, after.at(-1)?.event)
  if (words.length > 0) return pass(`it is told: ${words.slice(0, 12).join(' ')}`, evidence)
  if (watched(t, since) === undefined)
    return inconclusive('the run did not watch what happened next')
  const difference = {
    expected: 'words about it',
    actual: 'only what is also shown after a success',
  }
  return violation('the answer failed, but the user is not told', difference, evidence)
}

/** Everything that a user reads: what is shown, and the pages that their browser is given. */
function shownIn(t: Transcript) {
  return [
    ...t.surfaces().map((event) => ({ event, text: event.text })),
    ...t.requests('browser').flatMap((request) => {
      const event = t.answer(request)
      return event?.type === 'response' ? [{ event, text: event.body?.text ?? '' }] : []
    }),
  ]
}

/** Words without names and numbers; in Chinese, Japanese and Korean two characters are one. */
function wordsOf(text: string): Set<string> {
  const joined = text.toLowerCase().match(/(?<![\p{L}\d_-])\p{L}+(?:[_-]\p{L}+)*(?![\p{L}\d_-])/gu)
  const words = (joined ?? []).flatMap((each) => each.split(/[_-]/))
  return new Set(words.filter((word) => word.length >= 3 || isDense.test(word)))
}

const isDense = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}$/u
