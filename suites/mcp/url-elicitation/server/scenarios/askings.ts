/** Judgements about everything that was asked in a run. */

import {
  cite,
  inconclusive,
  pass,
  show,
  violation,
  type Transcript,
} from '../../../../../harness/engine/index.ts'
import { partsOf } from '../../../../oauth-client/parts.ts'
import { isValidUrl } from '../../../server/valid-url.ts'
import { membersOf, textIn } from '../../../wire/values.ts'
import { completes, elicitationRequired, requiredIn } from '../../elicitation.ts'
import { citeAskings, urlAskings, type Judge } from '../checks.ts'
import { serverFrames, type Frame } from '../../../wire/frames.ts'
import type { Asking, CallView } from '../view.ts'

interface AskingOfCall {
  readonly call: CallView
  /** Which server asked: its origin, or the connection where each has a process of its own. */
  readonly server: string
  readonly asking: Asking
  /** What was said to be complete on the same connection. */
  readonly completed: readonly Frame[]
  /** Those that came before, in the whole run. */
  readonly earlier: readonly AskingOfCall[]
}

interface Difference {
  readonly expected: string
  readonly actual: string
}

/** Every elicitation in URL mode of the run, with those before it. */
function askingsOf(t: Transcript): AskingOfCall[] {
  const all: AskingOfCall[] = []
  // Names of connections and calls are those of one scenario each.
  for (const [scenario, part] of partsOf(t)) {
    const frames = serverFrames(part)
    for (const each of urlAskings(part)) {
      const completed = frames.filter(({ connection }) => connection === each.call.connection)
      all.push({ ...each, server: serverOf(each.call, scenario), completed, earlier: [...all] })
    }
  }
  return all
}

function serverOf({ request, connection }: CallView, scenario: string): string {
  const url = request?.url ?? ''
  return url.startsWith('http') && URL.canParse(url)
    ? new URL(url).origin
    : `${scenario}, ${connection}`
}

/** Judges every elicitation of the run: one that is wrong is a violation. */
export function everyAsking(
  wrong: (each: AskingOfCall) => Difference | undefined,
  message: string,
): Judge {
  return (t) => {
    const askings = askingsOf(t)
    for (const each of askings) {
      const difference = wrong(each)
      if (difference) return violation(message, difference, citeAskings(each.asking))
    }
    if (askings.length === 0) return inconclusive('nothing was asked in URL mode')
    const some = askings.slice(0, 3).map(({ asking }) => asking)
    return pass(`${askings.length} elicitations`, citeAskings(...some))
  }
}

/** Whether it may be the same elicitation as before: for its user at its URL, for its call at its page, with a fresh state. */
function mayBeSame(before: AskingOfCall, { call }: AskingOfCall, url: string): boolean {
  const known = before.asking.params['url']
  if (before.call !== call) return before.call.user === call.user && known === url
  if (typeof known !== 'string' || !URL.canParse(known)) return false
  const [page, again] = [new URL(known), new URL(url)]
  return page.origin === again.origin && page.pathname === again.pathname
}

/** What is wrong with an elicitation, if anything. */
export function wrongRequest(each: AskingOfCall): Difference | undefined {
  const { asking, earlier, server } = each
  const { mode, url, message, elicitationId: id } = asking.params
  if (mode !== 'url') return { expected: 'mode "url"', actual: show(mode) }
  if (!isValidUrl(url)) return { expected: 'a valid url', actual: show(url) }
  if (typeof message !== 'string' || message.trim() === '')
    return { expected: 'a message for people', actual: show(message) }
  if (asking.how === 'input') return undefined
  if (typeof id !== 'string' || id === '') return { expected: 'an elicitationId', actual: show(id) }
  // One elicitation may serve several calls of its user, and be asked for again. Another server counts by itself.
  const other = earlier.find(
    (before) =>
      before.server === server &&
      before.asking.params['elicitationId'] === id &&
      !mayBeSame(before, each, url),
  )
  if (other)
    return { expected: 'an elicitationId of its own', actual: `${id}, which was given before` }
  const over = each.completed.some(
    ({ message, event }) => completes(message, [id]) && event.t < asking.frame.event.t,
  )
  return over
    ? { expected: 'an elicitationId of its own', actual: `${id}, which was complete before` }
    : undefined
}

/** Every error -32042 lists elicitations in URL mode; that there is none is as good, since something was asked. */
export const validErrors: Judge = (t) => {
  const errors = serverFrames(t).flatMap(({ event, message }) =>
    message.kind === 'error' && message.code === elicitationRequired
      ? [{ event, required: requiredIn(message.data).map(membersOf) }]
      : [],
  )
  for (const { event, required } of errors) {
    const odd = required.find(
      ({ mode, elicitationId }) => mode !== 'url' || typeof elicitationId !== 'string',
    )
    if (required.length > 0 && !odd) continue
    return violation(
      'the error -32042 does not list elicitations in URL mode',
      {
        expected: 'data.elicitations, each with mode "url" and an elicitationId',
        actual: odd ? show({ mode: odd['mode'], elicitationId: odd['elicitationId'] }) : 'none',
      },
      cite(event),
    )
  }
  const askings = askingsOf(t).map(({ asking }) => asking)
  if (askings.length === 0) return inconclusive('nothing was asked in URL mode')
  return pass(`${errors.length} such errors`, citeAskings(...askings.slice(0, 3)))
}

/**
 * No URL holds a secret, or says in plain or merely encoded who the user is. A token around it tells nobody anything, unless
 * it can be read and has an address of the user.
 */
export const cleanUrls: Judge = (t, context) => {
  const subjects = new Set(t.provider('decision').map(({ detail }) => textIn(detail['subject'])))
  subjects.delete('')
  return everyAsking(({ asking }) => {
    const url = textIn(asking.params['url'])
    if (/\[secret |\[text withheld/.test(url)) return { expected: 'no credential', actual: url }
    const plain = decoded(url)
    const pieces = decodedPieces(plain)
    const named = [...subjects].find(
      (subject) =>
        includesIn(plain, subject) ||
        pieces.some((piece) => piece === subject || includesIn(piece, `${subject}@`)),
    )
    return named === undefined
      ? undefined
      : { expected: 'nothing about the user', actual: 'the account of the user' }
  }, 'the URL of an elicitation tells something sensitive')(t, context)
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}

/** An account is the same in other letters. */
function includesIn(text: string, name: string): boolean {
  return text.toLowerCase().includes(name.toLowerCase())
}

/** What stands in a URL in base64url or hexadecimal, piece by piece. */
function decodedPieces(url: string): readonly string[] {
  const pieces = url.split(/[^\w-]+/).filter((piece) => piece.length > 15)
  return pieces.flatMap((piece) =>
    (['base64url', 'hex'] as const).map((code) => Buffer.from(piece, code).toString('latin1')),
  )
}

/** Plain http is for development: the loopback interface. */
export function insecureUrl({ asking }: AskingOfCall): Difference | undefined {
  const url = urlOf(asking)
  if (!url || url.protocol === 'https:' || isLoopback(url)) return undefined
  return { expected: 'an https URL', actual: url.origin }
}

function urlOf({ params }: Asking): URL | undefined {
  const { url } = params
  return typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined
}

function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}
