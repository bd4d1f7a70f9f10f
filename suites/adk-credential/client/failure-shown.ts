/** That a user whose answer fails is told something that nobody is told when all goes well. */

import {
  cite,
  inconclusive,
  isAfter,
  pass,
  violation,
  watchedAfter,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { notAnswered } from './answer-checks.ts'
import type { Judge } from './checks.ts'
import { askedOf } from './view.ts'
import { finalText, idleText } from './vocabulary.ts'

export const showsFailure: Judge = (t, { control }) => {
  const [asked] = askedOf(t)
  const answer = asked?.answers[0]
  if (!asked || !answer) return inconclusive(notAnswered)
  if (!answer.failed) return inconclusive('the answer did not fail')
  if (!control || askedOf(control)[0]?.answers[0]?.accepted !== true)
    return inconclusive('the run does not know what is shown after a success')
  const { event: since } = answer.message
  const shown = shownIn(t)
  const after = shown.filter(({ event }) => isAfter(event, since))
  // Some show what is new only in the answer to what their user says next.
  const next = t.steps('begin').find((each) => isAfter(each, since))
  const usual = [...shownIn(control), { text: `${finalText}. ${idleText}` }]
  const before = shown.filter(({ event }) => !isAfter(event, since))
  const said = t.steps('begin').map(({ detail }) => ({ text: String(detail['text']) }))
  const words = [
    ...newWords(
      after.filter(({ event }) => !next || isAfter(next, event)),
      usual,
    ),
    ...newWords(
      after.filter(({ event }) => isAfter(event, next)),
      [...usual, ...before, ...said],
    ),
  ]
  const evidence = cite(since, after.at(-1)?.event)
  if (words.length > 0) return pass(`it is told: ${words.slice(0, 12).join(' ')}`, evidence)
  // Who is gone is asked nothing any more.
  if (watchedAfter(t, next ?? (t.end && since)) === undefined)
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

interface Read {
  readonly text: string
}

function newWords(read: readonly Read[], known: readonly Read[]): string[] {
  const [words, usual] = [read, known].map((all) => wordsOf(all.map(({ text }) => text).join('\n')))
  return [...words!].filter((word) => !usual!.has(word))
}

/** Words without names and numbers; in Chinese, Japanese and Korean two characters are one. A picture is a word, too. */
function wordsOf(text: string): Set<string> {
  const joined = text.toLowerCase().match(/(?<![\p{L}\d_-])\p{L}+(?:[_-]\p{L}+)*(?![\p{L}\d_-])/gu)
  const words = (joined ?? []).flatMap((each) => each.split(/[_-]/))
  const pictures = text.match(picture) ?? []
  return new Set([...words.filter((word) => word.length >= 3 || isDense.test(word)), ...pictures])
}

const picture = /\p{Extended_Pictographic}|[\u2715\u2717\u2718]/gu

const isDense = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}$/u
