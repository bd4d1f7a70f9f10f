/** What a request says to the model, and what of it is news. */

import type { Transcript } from '../../../harness/engine/index.ts'
import type { ModelMessage } from '../../../harness/parties/index.ts'
import { tokensIn } from './attribution.ts'
import { readingsOf } from '../../../harness/parties/host-user/url-in-text.ts'
import {
  askedOf,
  callsOf,
  idsOf,
  isAfter,
  textOf,
  type Asked,
  type CallView,
  type Delivery,
  type Moment,
} from './view.ts'

/** How a token got to the model within one request. */
export interface Given {
  readonly asked: Asked
  readonly role: ModelMessage['role']
  /** The id of the tool call that it answers, where it came as its result. */
  readonly callId: string | undefined
  readonly text: string
}

/** Every place of a request in which the token stands, whoever is said to speak there. */
export function givenIn(asked: Asked, token: string): Given[] {
  if (token === '') return []
  return statementsIn(asked)
    .filter(({ text }) => text.includes(token))
    .map(({ role, callId, text }) => ({ asked, role, callId, text }))
}

interface Statement {
  readonly role: ModelMessage['role']
  readonly callId: string | undefined
  readonly isError: boolean
  readonly text: string
}

/** Whether the whole text stands in one place of a request, whichever way it is escaped there. */
export function says(asked: Asked, text: string): boolean {
  const whole = text.normalize('NFC')
  return statementsIn(asked).some((said) =>
    readingsOf(said.text).some((reading) => reading.normalize('NFC').includes(whole)),
  )
}

/** What a request says to the model, piece by piece: every result of a tool by itself. */
function statementsIn({ system, messages }: Asked): Statement[] {
  const said = messages.flatMap(({ role, text, toolResults = [] }): Statement[] =>
    toolResults.length > 0
      ? toolResults.map((each) => ({ role, isError: false, ...each }))
      : [{ role, callId: undefined, isError: false, text }],
  )
  const instructions = said
    .filter(({ role }) => role === 'system')
    .reduce((rest, { text }) => rest.replace(text, ''), system)
    .trim()
  if (instructions === '') return said
  return [{ role: 'system', callId: undefined, isError: false, text: instructions }, ...said]
}

/** What the model was told beside the words of its user, where it stands for the first time. */
export interface Note extends Statement {
  readonly asked: Asked
}

/** What was news to the model in a conversation after a moment, and before another if one is given. */
export function notesOf(
  t: Transcript,
  conversation: string,
  after: Moment,
  before?: Moment,
): Note[] {
  const known = new Set<string>()
  const words = wordsOf(t)
  return askedOf(t, conversation).flatMap((asked) =>
    statementsIn(asked).flatMap((statement): Note[] => {
      if (statement.role === 'assistant') return []
      const text = words.reduce((rest, said) => rest.replace(said, ''), statement.text)
      const key = `${statement.callId} ${text}`
      const told = statement.role === 'user' && text.trim() === ''
      if (told || known.has(key)) return []
      known.add(key)
      const timely = isAfter(asked.step, after) && (!before || isAfter(before, asked.step))
      return timely ? [{ ...statement, text, asked }] : []
    }),
  )
}

/** What users said in this recording. */
function wordsOf(t: Transcript): string[] {
  return [...t.steps('ask'), ...t.steps('say')].map(({ detail }) => textOf(detail['text']))
}

/** A text without what differs between two calls of one kind: ids, tokens, numbers. */
export function gistOf(text: string, call: CallView): string {
  return idsOf(call)
    .reduce((rest, id) => rest.replaceAll(id, '#'), text)
    .replace(/[0-9a-f]{8,}|\d+/gi, '#')
}

/** The first place in which the token reached the model. */
export function firstGiven(t: Transcript, token: string): Given | undefined {
  return askedOf(t).flatMap((asked) => givenIn(asked, token))[0]
}

/**
 * The first request that gives a result to the model as that of its call, where results of other calls have the same words:
 * under an id of the call, as news, or once more than before.
 */
export function givenToCall(
  t: Transcript,
  call: CallView,
  { request, token }: Delivery,
): Asked | undefined {
  const equal = callsOf(t)
    .filter(({ conversation }) => conversation === call.conversation)
    .flatMap(({ deliveries }) => deliveries.filter((each) => each.token === token))
  const count = equal.filter((each) => request && !isAfter(each.step, request)).length
  return askedOf(t, call.conversation).find((asked) => {
    if (!request || !isAfter(asked.step, request)) return false
    const given = givenIn(asked, token)
    const ids = idsOf(call, asked)
    const last = asked.messages.findLastIndex(({ role }) => role === 'assistant')
    const news = asked.messages
      .slice(last + 1)
      .some(({ text, toolResults }) => !toolResults && text.includes(token))
    const times = given.reduce((sum, { text }) => sum + text.split(token).length - 1, 0)
    return news || times >= count || given.some(({ callId }) => ids.includes(callId ?? ''))
  })
}

/** The first request in the conversation of a call after a delivery: as long as nobody speaks, the delivery is the reason. */
export function askedAfter(
  t: Transcript,
  { conversation }: CallView,
  { request }: Delivery,
): Asked | undefined {
  return askedOf(t, conversation).find(({ step }) => request && isAfter(step, request))
}

/** Tokens of conversations other than this one in a request to the model. */
export function foreignTokens(asked: Asked, own: ReadonlySet<string>): string[] {
  const all = statementsIn(asked).flatMap(({ text }) => tokensIn(text))
  return [...new Set(all.filter((token) => /^(ref|result|url)-/.test(token) && !own.has(token)))]
}
