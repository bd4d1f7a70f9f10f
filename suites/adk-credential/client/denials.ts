/** That the agent hears of a denial: by the answer to its request, or in words. */

import {
  cite,
  inconclusive,
  isAfter,
  pass,
  show,
  violation,
  type Recorded,
  type RequestEvent,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { fieldsOf, member, requestName, textIn } from '../wire.ts'
import { exchangedText } from './auth-config.ts'
import { afterCallback, goesOnByScript, missing, type Judge } from './checks.ts'
import { messagesOf, parameter, type Asked, type Message, type Place } from './view.ts'

/** That the agent hears of a denial, or of another error, in whichever way. */
export const forwardsDenial: Judge = afterCallback((asked, callback, t) => {
  const told = messagesOf(t).find((each) => isAfter(each.event, callback))
  if (!isDenial(callback)) return inconclusive('no callback with an error came')
  if (!told) {
    const mayGoOn = goesOnByScript(t, callback)
    if (mayGoOn) return mayGoOn
    return missing(t, 'answered', asked, {
      message: 'a callback with an error came, but the agent was not told',
      expected: 'the callback with the error, or a message',
    })
  }
  const evidence = cite(callback, told.event)
  const same = isSame(told.place, asked.place)
  const hides = hidesDenial(asked, told)
  if (same && hides !== undefined) {
    return violation(
      'the agent was answered as if the user had consented',
      { expected: 'the callback as it came, with its error, or words', actual: hides },
      evidence,
    )
  }
  if (same) return pass('the agent was told of the error', evidence)
  const difference = { expected: JSON.stringify(asked.place), actual: JSON.stringify(told.place) }
  return violation('another session was told of the error', difference, evidence)
})

export function isDenial({ url }: Recorded<RequestEvent>): boolean {
  return parameter(url, 'error') !== undefined
}

/** The first words of the user in the session of the request after its callback. */
export function wordsAfter(t: Transcript, { place }: Asked, callback: Recorded<RequestEvent>) {
  return messagesOf(t).find(
    (each) => isAfter(each.event, callback) && isSame(each.place, place) && hasWords(each.parts),
  )
}

function isSame(one: Place, other: Place): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

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
