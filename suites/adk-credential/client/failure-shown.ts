/** That a user whose answer fails is told something that nobody is told when all goes well. */

import {
  cite,
  inconclusive,
  isAfter,
  pass,
  violation,
  watched,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { notAnswered } from './answer-checks.ts'
import type { Judge } from './checks.ts'
import { askedOf } from './view.ts'

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
