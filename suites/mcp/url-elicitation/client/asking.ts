/** What the server of the harness asks of the user: one URL or two, as each revision has it. */

import { elicitationRequired } from '../elicitation.ts'

type Fields = Readonly<Record<string, unknown>>

/** What is special about an elicitation. */
export interface AskOptions {
  /** In the error that ends the request; default: as the revision has it. */
  readonly byError?: true
  /** Members that differ from those of a right one; `undefined` takes one away. */
  readonly params?: Fields
  /** Whether two URLs are asked for at once. */
  readonly twice?: true
  /** Where the second one leads; default: another page of the site. */
  readonly secondUrl?: string
  /** Whether it is the second URL that is asked for, in a later round of the same call. */
  readonly second?: true
  /** Whether the result that asks for input has a state to be echoed, or which one (2026-07-28). */
  readonly state?: boolean | ''
}

/** Where the second of two elicitations leads. */
export const secondUrlOf = (url: string): string => url.replace('/connect?', '/another?')

/** The parameters of the elicitations of a call. */
export function elicitationsFor(
  { url, elicitationId }: { readonly url: string; readonly elicitationId: string },
  { twice, second: isSecond, secondUrl = secondUrlOf(url), params = {} }: AskOptions = {},
): readonly Fields[] {
  const message = 'Please connect your account of the Example Warehouse.'
  const own = without({ mode: 'url', elicitationId, url, message, ...params })
  const second = { ...own, elicitationId: `second-${elicitationId}`, url: secondUrl }
  return twice ? [own, second] : [isSecond ? second : own]
}

/** The error that says what is required before a request can be made again (2025-11-25 and older revisions). */
export function urlRequired(elicitations: readonly Fields[]): Fields {
  const data = { elicitations }
  return { code: elicitationRequired, message: 'This request requires more information.', data }
}

/** The result that asks for input (2026-07-28), where elicitations have no ids. */
export function inputRequired(
  note: string,
  elicitations: readonly Fields[],
  { second: isSecond, state = true }: AskOptions = {},
): Fields {
  const requests = elicitations.map((each, index) => {
    const { elicitationId: _, ...params } = each
    return [inputKeys[index], { method: 'elicitation/create', params }] as const
  })
  const usual = stateOf(note, isSecond ? 2 : 1)
  const requestState = state === false ? {} : { requestState: state === true ? usual : state }
  const inputRequests = Object.fromEntries(requests) as Fields
  return { resultType: 'input_required', inputRequests, ...requestState }
}

/** The keys of the requests for input: no client may take them for anything. */
const inputKeys = ['connect/Account 1', 'connect/account 1'] as const
export const [inputKey] = inputKeys

/** What the client has to echo, which makes the call known as well: whoever trims, decodes, parses, shortens it or composes its letters changes it. */
function stateOf(note: string, round: 1 | 2): string {
  return ` {"v": ${round}.0, "of" : "${note}\u00a0e\u0301=%2B", "sealed": "${'0aZ-'.repeat(1024)}"} `
}

/** Without what is `undefined`. */
function without(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
