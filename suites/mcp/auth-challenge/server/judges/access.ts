/** Judgements about which calls are served. */

import {
  cite,
  inconclusive,
  isAfter,
  jsonIn,
  pass,
  show,
  violation,
  type Judgement,
  type Transcript,
} from '../../../../../harness/engine/index.ts'
import { challenged, retried, type Judge } from '../scenarios/define.ts'
import {
  bearersOfHttp,
  callOf,
  callsOf,
  citeAnswer,
  describeAnswer,
  misplacedToken,
  namesItsUser,
  scopesLacking,
  scopesOf,
  servedResult,
  textOf,
  type CallView,
  unchallenged,
  userOf,
  usersOfTheRun,
} from '../view.ts'
import { serverFrames } from '../../../wire/frames.ts'
import { textIn } from '../../../wire/values.ts'

export const acceptsToken: Judge = (t) => {
  const call = callOf(t, retried)
  if (!call.request) return inconclusive('no token was obtained, so the call was not made again')
  const answer = describeAnswer(call)
  if (answer === undefined) return inconclusive('the call with the token was not answered')
  if (servedResult(call)) return pass('the call was served', citeAnswer(call))
  if (scopesLacking(call).length > 0 && t.steps('signed-in', call.name).length === 0)
    return inconclusive('no token was obtained with the scopes that it asks for', citeAnswer(call))
  const status = call.http?.status ?? 0
  if (call.challenge || (!call.reply && (status === 401 || status === 403))) {
    return violation(
      'a valid token was not accepted',
      { expected: 'the result of the tool', actual: answer },
      citeAnswer(call),
    )
  }
  return inconclusive(
    `the tool failed, with ${answer}; where its arguments are wrong, set tool.arguments`,
    citeAnswer(call),
  )
}

/** The first call has no token, the second one is served with one. */
export const servesNobody: Judge = (t) => {
  const [first, served] = [callOf(t, challenged), callOf(t, retried)]
  if (describeAnswer(first) === undefined)
    return inconclusive('the call without a token was not answered')
  const result = servedResult(served)
  if (!result) {
    const why = unchallenged(first)
    return inconclusive(
      `no call was served, so nothing tells what must not be${why === undefined ? '' : `; ${why}`}`,
      citeAnswer(first),
    )
  }
  return withoutData(t, first, result, 'a call without a token') ?? refused(first)
}

/** Every call but the first one has such a token instead of a right one. */
export function servesNothing(what: string): Judge {
  return (t, { control }) => {
    const served = control && servedResult(callOf(control, retried))
    if (!served) return inconclusive('no call was served in the control')
    const made = madeCalls(t).slice(1)
    if (made.length === 0 || !t.steps('token')[0])
      return inconclusive('the call was not made with the token')
    return noneIsServed(t, made, served, what)
  }
}

/** No call has a token. */
export function servesNoStranger(what: string): Judge {
  return (t, { control }) => {
    const served = control && servedResult(callOf(control, retried))
    if (!served) return inconclusive('no call was served in the control')
    const made = madeCalls(t)
    return made.length === 0
      ? inconclusive(`${what} was not made`)
      : noneIsServed(t, made, served, what)
  }
}

/** A right token stands where none is to be looked for, in the second call. */
export const ignoresTokenInUrl: Judge = (t, { control }) => {
  const served = control && servedResult(callOf(control, retried))
  if (!served) return inconclusive('no call was served in the control')
  const call = callOf(t, retried)
  if (!call.request || !t.steps(misplacedToken)[0])
    return inconclusive('the call was not made with the token')
  return isNotServed(t, call, served, 'a token in the query string')
}

/** The second call was served with an opaque token, and the third one has it after its expiry. */
export const forgetsExpired: Judge = (t) => {
  const [before, after] = [callOf(t, retried), callOf(t, 'call-3')]
  const served = servedResult(before)
  const { request: used } = before
  const issued = used && t.steps('opaque-token').findLast((step) => isAfter(used, step))
  if (!served || !issued) return inconclusive('no call was served before the expiry')
  const expires = issued.t + Number(issued.detail['lifetime']) * 1000
  const { request } = after
  if (!request || !(request.t > expires))
    return inconclusive('no call was made after the token had expired')
  return isNotServed(t, after, served, 'a token that was served, and has expired since,')
}

/** So many calls of two users after the first call; what either is told is of none of the other users of the run. */
export function keepsUsersApart(calls: number): Judge {
  const names = Array.from({ length: calls }, (_, index) => `call-${index + 2}`)
  return (t, { control }) => {
    const users = usersKnownTo(t, names, control)
    for (const name of names) {
      const own = userOf(t, name)
      if (own === undefined) continue
      const others = users.filter((each) => !own.includes(each))
      for (const { message, event } of serverFrames(t, name)) {
        const other = others.find((each) => holds(message.value, each))
        if (other === undefined) continue
        return violation(
          'a user was told what another one gets',
          { expected: `what is of ${own}`, actual: `something of ${other}` },
          cite(callOf(t, name).request, event),
        )
      }
    }
    const unnamed = names.find((name) => !namesItsUser(t, name))
    return unnamed === undefined
      ? pass('each was told of their own account', citeAnswer(callOf(t, names.at(-1)!)))
      : inconclusive(`the result of ${unnamed} does not name the account of its user`)
  }
}

/** Who called here or in the control, or in any other scenario until then. */
function usersKnownTo(
  t: Transcript,
  names: readonly string[],
  control: Transcript | undefined,
): readonly string[] {
  const here = names.map((name) => userOf(t, name) ?? '')
  const before = control?.provider('decision').map(({ detail }) => textIn(detail['subject'])) ?? []
  const elsewhere = t
    .steps(usersOfTheRun)
    .flatMap(({ detail }) => [detail['subjects']].flat())
    .map(textIn)
  return [...new Set([...here, ...before, ...elsewhere])].filter((each) => each !== '')
}

/** The second call was served with a token, and those after it have this in its place. */
export function forgetsToken(what: string): Judge {
  return (t) => {
    const served = servedResult(callOf(t, retried))
    if (!served) return inconclusive('no call was served before')
    const made = madeCalls(t).slice(2)
    if (made.length === 0) return inconclusive(`${what} was not made`)
    return noneIsServed(t, made, served, `${what}, after one that was served`)
  }
}

function madeCalls(t: Transcript): readonly CallView[] {
  return callsOf(t).filter(({ request }) => request)
}

/** What is said of the first one that was served, or of one. */
function noneIsServed(
  t: Transcript,
  calls: readonly CallView[],
  served: Readonly<Record<string, unknown>>,
  what: string,
): Judgement {
  const judged = calls.map((call, index) => {
    const form = formOf(t, call)
    const said = form === undefined ? what : `${what} (${form})`
    return isNotServed(t, call, served, index === 0 ? said : `${said}, in ${call.name},`)
  })
  return judged.find(({ outcome }) => outcome !== 'pass') ?? judged[0]!
}

/** In which form the token of a call was made, where it has a flaw. */
function formOf(t: Transcript, { name }: CallView): string | undefined {
  const bearer = t.steps('begin', name)[0]?.detail['bearer']
  const made = t.steps('token').find(({ detail }) => detail['token'] === bearer)
  return bearer === undefined ? undefined : textIn(made?.detail['flaw']) || undefined
}

function isNotServed(
  t: Transcript,
  call: CallView,
  served: Readonly<Record<string, unknown>>,
  what: string,
): Judgement {
  const answer = describeAnswer(call)
  if (answer === undefined) return hungUp(t, call) ?? inconclusive('the call was not answered')
  if (servedResult(call)) {
    return violation(
      `${what} was accepted`,
      { expected: 'a challenge, an error result, or HTTP 401', actual: answer },
      citeAnswer(call),
    )
  }
  return withoutData(t, call, served, what) ?? refused(call)
}

/** Who closes the connection serves nothing, however rude that is. */
function hungUp(t: Transcript, { request }: CallView): Judgement | undefined {
  const end = request && t.answer(request)
  if (end?.type !== 'failure' || end.code === 'given-up') return undefined
  return pass(`the connection ended without an answer: ${end.message}`, cite(request, end))
}

function refused(call: CallView): Judgement {
  return pass(`it was answered with ${describeAnswer(call)}`, citeAnswer(call))
}

/** Characters of a text below which it may be a word that any answer has. */
const tellingText = 8

/** That something which was said to a call holds what a call with a token was served with, where it does. */
function withoutData(
  t: Transcript,
  call: CallView,
  served: Readonly<Record<string, unknown>>,
  what: string,
): Judgement | undefined {
  const { structuredContent: data } = served
  const text = textOf(served).trim()
  const secrets = [text, asJson(text), data === undefined ? '' : JSON.stringify(data)]
  for (const { message, event } of serverFrames(t, call.name)) {
    const held = secrets.filter(isTelling).find((each) => holds(message.value, each))
    if (held === undefined) continue
    return violation(
      `${what} was answered with what only a token opens`,
      { expected: 'nothing of the result', actual: show(held) },
      cite(event),
    )
  }
  return undefined
}

/** A text that is JSON as it stands where it is no text. */
function asJson(text: string): string {
  const value = jsonIn(text)
  return value === undefined ? '' : JSON.stringify(value)
}

/** Every result of a tool has the members of its output schema, also one that says nothing in them (MCP Tools, Output Schema). */
function isTelling(text: string): boolean {
  return text.length >= tellingText && saysAnything(jsonIn(text) ?? text)
}

function saysAnything(value: unknown): boolean {
  return typeof value === 'object' && value !== null
    ? Object.values(value).some(saysAnything)
    : Boolean(value)
}

/** Whether a message holds these characters anywhere, as text or as JSON. */
function holds(message: object, characters: string): boolean {
  const json = JSON.stringify(message)
  return json.includes(characters) || json.includes(JSON.stringify(characters).slice(1, -1))
}

/** That call has a token without the scopes. */
export const asksForScope =
  (name: string = retried): Judge =>
  (t, { control }) => {
    const opened = control && servedResult(callOf(control, retried))
    if (!opened) return inconclusive('no call was served in the control')
    const call = callOf(t, name)
    const issued = t.provider('grant').some(({ detail }) => detail['outcome'] === 'issued')
    if (!call.request || !issued) return inconclusive('the call was not made with the token')
    const answer = describeAnswer(call)
    if (answer === undefined) return inconclusive('the call with the token was not answered')
    const challenges = [...call.bearers, ...bearersOfHttp(call)]
    const errors = challenges.map(({ parameters }) => parameters.get('error'))
    const [scopes, isNamed] = [scopesOf(challenges), errors.includes('insufficient_scope')]
    const had = t.steps('token-lacks')[0]?.detail['scopes']
    const isOld = Array.isArray(had) && scopes.every((scope) => had.includes(scope))
    if (isNamed && scopes.length > 0 && !isOld)
      return (
        withoutData(t, call, opened, 'a token that lacks a scope') ??
        pass(`it needs ${scopes.join(' ')}`, citeAnswer(call))
      )
    const named =
      isOld && scopes.length > 0 ? `${scopes.join(' ')}, which the token has` : 'no scope'
    const actual = isNamed ? `insufficient_scope and ${named}` : answer
    return violation(
      'the client does not learn that its token lacks a scope',
      {
        expected: 'Bearer error="insufficient_scope", scope="...", in the result or with HTTP 403',
        actual: challenges.length > 0 && !isNamed ? `error=${show(errors[0] ?? 'none')}` : actual,
      },
      citeAnswer(call),
    )
  }
