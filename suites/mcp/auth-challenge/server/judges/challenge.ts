/** Judgements about the result that challenges. */

import {
  cite,
  inconclusive,
  pass,
  show,
  violation,
  worstOf,
  type Judgement,
  type Recorded,
  type ResponseEvent,
  type Transcript,
} from '../../../../../harness/engine/index.ts'
import { connectionOf, sentChannel } from '../../../wire/link.ts'
import { isRecord, membersOf, textIn } from '../../../wire/values.ts'
import { bearersOf, challengeKey, parseChallenges } from '../../challenges.ts'
import { challenged, retried, type Judge } from '../scenarios/define.ts'
import {
  callOf,
  callsOf,
  citeAnswer,
  describeAnswer,
  stringsIn,
  unchallenged,
  type CallView,
} from '../view.ts'

/** Judges the challenge to a call; unless another is named, to the one without a token. */
function ofChallenge(judge: (call: CallView, value: unknown) => ReturnType<Judge>) {
  return (name: string = challenged): Judge =>
    (t) => {
      const call = callOf(t, name)
      const why = unchallenged(call)
      if (why !== undefined) return inconclusive(why, citeAnswer(call))
      return judge(call, call.challenge?.value)
    }
}

export const markError = ofChallenge((call) => {
  const isError = call.result?.['isError']
  if (isError === true) return pass('isError is true', citeAnswer(call))
  return violation(
    'a result with a challenge has no isError: true',
    { expected: 'isError: true', actual: `isError: ${show(isError ?? 'missing')}` },
    citeAnswer(call),
  )
})

export const contentPresent = ofChallenge((call) => {
  const content = call.result?.['content']
  const blocks = Array.isArray(content) ? content.filter(isRecord) : []
  const readable = blocks.some(
    ({ type, text }) =>
      typeof type === 'string' && (type !== 'text' || showsAnything(textIn(text))),
  )
  if (readable) return pass(`${blocks.length} blocks of content`, citeAnswer(call))
  return violation(
    'the result that challenges has no content to show',
    { expected: 'content with a block of text', actual: show(content ?? 'no content') },
    citeAnswer(call),
  )
})

/** Characters that are not shown are nothing to read (UAX #44, Default_Ignorable_Code_Point). */
function showsAnything(text: string): boolean {
  return /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u.test(text)
}

/** Where a challenge stands elsewhere in the answer, that is known of it. */
export function challengeForm(name: string = challenged): Judge {
  return (t, context) => {
    const call = callOf(t, name)
    const misplaced = call.challenge ? undefined : misplacedIn(call)
    if (misplaced === undefined) return formOfChallenge(name)(t, context)
    return violation(
      'the challenge is not under its key in _meta',
      { expected: expectedForm, actual: misplaced },
      citeAnswer(call),
    )
  }
}

const expectedForm = `_meta["${challengeKey}"] with a string or an array of strings`

const formOfChallenge = ofChallenge((call, value) => {
  const strings = stringsIn(value)
  const isWhole = [value].flat().length === strings.length && strings.length > 0
  if (isWhole && strings.every((each) => each.trim() !== '')) {
    const form = Array.isArray(value) ? `an array of ${strings.length}` : 'a string'
    return pass(form, citeAnswer(call))
  }
  return violation(
    'the challenge has another form',
    { expected: expectedForm, actual: show(value) },
    citeAnswer(call),
  )
})

/** A member that looks like the key, but is not where it has to be. */
function misplacedIn({ result, reply }: CallView): string | undefined {
  const { data } = membersOf(reply?.message.value['error'])
  const inError = [data, membersOf(data)['_meta']].some((each) =>
    Object.keys(membersOf(each)).some((key) => looksLikeKey(key)),
  )
  if (inError) return 'the data of an error of JSON-RPC, and no result'
  const { _meta: meta, content: _content, ...others } = result ?? {}
  const beside = Object.keys(membersOf(meta)).find((key) => looksLikeKey(key))
  if (beside !== undefined) return `_meta[${show(beside)}]`
  const above = Object.keys(others).find((key) => looksLikeKey(key))
  if (above !== undefined) return `the member ${show(above)} of the result`
  const nested = Object.entries(others).find(([, value]) =>
    Object.keys(membersOf(value)).some((key) => looksLikeKey(key)),
  )
  return nested && `a member of ${show(nested[0])}`
}

function looksLikeKey(key: string): boolean {
  return /www[-_]?authenticate/i.test(key)
}

export const challengeParses = ofChallenge((call, value) => {
  const strings = stringsIn(value)
  if (strings.length === 0) return inconclusive('there is no string to parse', citeAnswer(call))
  const parsed = strings.map((each) => ({ each, ...parseChallenges(each) }))
  for (const result of parsed) {
    if ('problem' in result) {
      return violation(
        'a challenge is not a valid value of WWW-Authenticate',
        {
          expected: 'Bearer name="value", name="value"',
          actual: `${show(result.each)}: ${result.problem}`,
        },
        citeAnswer(call),
      )
    }
  }
  const bearers = parsed.flatMap((each) => ('challenges' in each ? bearersOf(each.challenges) : []))
  if (bearers.length > 0) return pass(`${strings.length} values parsed`, citeAnswer(call))
  return violation(
    'no challenge is a Bearer challenge',
    { expected: 'a challenge with the scheme Bearer', actual: strings.map(show).join(', ') },
    citeAnswer(call),
  )
})

export const resultType = ofChallenge(isComplete)

/** The same of every result of a scenario, those that challenge a wrong token included. */
export const everyResultType: Judge = (t) => {
  const judged = callsOf(t)
    .filter(({ result }) => result !== undefined)
    .map(isComplete)
  return worstOf(judged) ?? judged[0] ?? inconclusive('no call had a result')
}

function isComplete(call: CallView): Judgement {
  const { resultType: type } = call.result ?? {}
  if (type === 'complete') return pass('resultType is complete', citeAnswer(call))
  return violation(
    'a result does not say that it is complete',
    { expected: 'resultType: "complete"', actual: `resultType: ${show(type ?? 'missing')}` },
    citeAnswer(call),
  )
}

export const noErrorCode = ofChallenge((call) => {
  if (call.bearers.length === 0) return inconclusive('no Bearer challenge', citeAnswer(call))
  const code = call.bearers.map(({ parameters }) => parameters.get('error')).find(Boolean)
  if (code === undefined) return pass('no error code', citeAnswer(call))
  return violation(
    'a request without a token was answered with an error code',
    { expected: 'no parameter error', actual: `error=${show(code)}` },
    citeAnswer(call),
  )
})

/** The second call is that of another client, the first one that of the usual one. */
export const challengesAll: Judge = (t: Transcript) => {
  const [usual, other] = [callOf(t, challenged), callOf(t, retried)]
  const why = unchallenged(usual)
  if (why !== undefined) return inconclusive(why, citeAnswer(usual))
  if (other.challenge)
    return pass('both were challenged', [...citeAnswer(usual), ...citeAnswer(other)])
  const refusal = other.request ? undefined : refusedConnection(t)
  const answer = refusal ? `HTTP ${refusal.status} before it could call` : describeAnswer(other)
  if (answer === undefined) return inconclusive('the other client was not answered')
  return violation(
    'a client with another name was not challenged',
    { expected: 'the challenge that other clients get', actual: answer },
    [...citeAnswer(usual), ...citeAnswer(other), ...cite(refusal)],
  )
}

/** By which answer the last connection could not be opened. */
function refusedConnection(t: Transcript): Recorded<ResponseEvent> | undefined {
  const connection = t.steps('connect').at(-1)?.detail['connection']
  return t
    .requests(sentChannel)
    .filter((request) => connectionOf(request) === connection)
    .flatMap((request) => t.answer(request) ?? [])
    .filter((answer) => answer.type === 'response')
    .find(({ status }) => status >= 400)
}
