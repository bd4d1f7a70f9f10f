/** Secrets of the run where they must not be: results, other output, logs, URLs, stores. */

import { decodeHTML } from 'entities/decode'
import {
  cite,
  inconclusive,
  notApplicable,
  pass,
  servedPath,
  unreadKind,
  violation,
  type Check,
  type RecordedEvent,
  type Sighting,
  type Transcript,
} from '../../../harness/engine/index.ts'
import type { ClientDeclared } from '../declarations.ts'
import { check, type Judge } from '../judges.ts'
import { ownOrigins } from '../own-origins.ts'
import { isApi } from '../view.ts'

type RecordedResponse = Extract<RecordedEvent, { type: 'response' }>

/** Codes and tokens, also those that the harness forged. */
const tokens = ['access_token', 'refresh_token', 'authorization_code']

/** What is as secret, and is no token. */
const credentials = ['client_secret', 'code_verifier', 'id_token', 'registration_access_token']

/** Whether a string of an event is an output of the kind that is scanned. */
export type Place = (event: RecordedEvent, sighting: Sighting | undefined, t: Transcript) => boolean

/** Where a protocol lets its secrets out. */
export interface LeakPlaces {
  /** What a call ends with. */
  readonly result: Place
  /** What hands the user over, its URL included. */
  readonly asked: Place
  /** Whatever else the implementation sends or serves. */
  readonly other: Place
}

export function leakChecks(places: LeakPlaces): readonly Check<ClientDeclared>[] {
  return [
    check(
      'oauth-client/no-secrets-in-results',
      'no token or code in a result',
      leaksNothing(tokens, places.result),
    ),
    check(
      'oauth-client/no-secrets-in-output',
      'no token or code in any other output',
      leaksNothing(tokens, places.other),
    ),
    check('oauth-client/no-secrets-in-logs', 'no token or code in a log', (t, context) => {
      const { driven, logs } = context.declared
      if (driven !== 'command' && !logs) {
        return notApplicable(
          'the harness does not start this implementation and declares.logs names no file',
        )
      }
      if (logs && !t.outputs().some(({ source }) => source.startsWith('log '))) {
        return inconclusive('none of the files in declares.logs could be read')
      }
      const judgement = leaksNothing(tokens, isLog, { needsEvents: false })(t, context)
      return judgement.outcome === 'pass' && unscanned(t, 'output', 'log')
        ? inconclusive('the output or logs are longer than the part that is scanned')
        : judgement
    }),
    check(
      'oauth-client/no-client-secret-in-output',
      'no client secret or verifier in any output',
      (t, context) =>
        leaksNothing(
          credentials,
          (...seen) =>
            places.result(...seen) ||
            places.other(...seen) ||
            isLog(...seen) ||
            isRedirectParameter(...seen),
        )(t, context),
    ),
    check(
      'oauth-client/no-secret-in-auth-url',
      'no secret in an authorization URL',
      leaksNothing([...tokens, 'client_secret'], places.asked),
    ),
    check(
      'oauth-client/no-secret-in-request-url',
      'no secret in the URL of a request to the provider, and none but the access token in one to its API',
      leaksNothing([...tokens.slice(1), ...credentials], isRequest),
    ),
    check('oauth-client/encrypt-at-rest', 'tokens are encrypted at rest', (t, context) => {
      if (!context.declared.tokenStore)
        return notApplicable('declares.tokenStore names no file or folder')
      const files = t
        .outputs()
        .filter(({ source, bytes }) => source.startsWith('store ') && bytes > 0)
      if (files.length === 0) {
        const why = 'none of the files in declares.tokenStore could be read, or all are empty'
        return inconclusive(why)
      }
      const issued = t.provider('grant').find(({ detail }) => detail['outcome'] === 'issued')
      if (issued && !files.some(({ modified }) => modified === undefined || modified >= issued.t)) {
        return inconclusive('no file in declares.tokenStore has changed since a token was issued')
      }
      if (unscanned(t, 'store')) {
        const judgement = leaksNothing(['access_token', 'refresh_token'], isStore)(t, context)
        if (judgement.outcome !== 'pass') return judgement
        return inconclusive(
          'the declared store is too large to scan completely; declare a smaller part of it',
        )
      }
      return leaksNothing(['access_token', 'refresh_token'], isStore)(t, context)
    }),
  ]
}

/** An answer of the implementation to its caller or to a browser. */
export const isOwnAnswer: Place = (event, sighting, t) => {
  if (event.type !== 'response' || event.channel === 'provider' || event.channel === 'callback')
    return false
  return !sighting || !isHandedOn(event, sighting, t)
}

/** Of these answers the pages for the browser. */
export const isOwnPage: Place = (event, sighting, t) =>
  event.type === 'response' && event.channel === 'browser' && isOwnAnswer(event, sighting, t)

/**
 * A redirect within the client carries the browser's own query along, as frameworks do to add a slash or a language: the
 * code in it tells nobody anything new, nor does the short note that names the same URL (RFC 9110 §15.4; docs/readings.md, 11).
 */
function isHandedOn(event: RecordedEvent, { id, kind, at }: Sighting, t: Transcript): boolean {
  if (event.type !== 'response' || kind !== 'authorization_code') return false
  if (at !== 'headers.location' && !(at === 'body.text' && namesOnlyItsLocation(event)))
    return false
  const request = t
    .requests('browser')
    .find((each) => each.scenario === event.scenario && each.exchange === event.exchange)
  const location = event.headers['location'] ?? ''
  if (!request || !URL.canParse(location, request.url)) return false
  const { origin } = new URL(location, request.url)
  const isOwn = origin === new URL(request.url).origin || ownOrigins(t)?.includes(origin) === true
  return isOwn && request.secrets?.some((brought) => brought.id === id) === true
}

/** Whether what a redirect's body says of the code stands in the URL that it leads to, written as text or in HTML. */
function namesOnlyItsLocation({ status, headers, body }: RecordedResponse): boolean {
  if (status < 300 || status > 399 || !body) return false
  const target = (headers['location'] ?? '').replace(/^https?:\/\/[^/]*/, '')
  const code = /[?&]code=([^&#]+)/.exec(target)?.[1]
  if (code === undefined) return false
  return !decodeHTML(body.text).split(target).join('').includes(code)
}

const isLog: Place = (event) =>
  event.type === 'output' && /^log |(stdout|stderr)$/.test(event.source)

const isStore: Place = (event) => event.type === 'output' && event.source.startsWith('store ')

/** No secret of these kinds in any event of this place; passes only where secrets and such events exist. */
function leaksNothing(kinds: readonly string[], place: Place, { needsEvents = true } = {}): Judge {
  return (t) => {
    const minted = t.provider('grant').filter(({ detail }) => detail['outcome'] === 'issued')
    if (minted.length === 0)
      return inconclusive('no token was issued in the whole run, so no leak was possible')
    const scanned = t.events.filter((event) => place(event, undefined, t))
    const leaks = t.events.flatMap((event) =>
      (event.secrets ?? [])
        .filter((sighting) => kinds.includes(sighting.kind) && place(event, sighting, t))
        .map((sighting) => ({ event, sighting })),
    )
    const [first] = leaks
    if (first) {
      return violation(
        `${describe(first.sighting)} was found in ${kindOfPlace(first.event)}${elsewhere(leaks.length - 1)}`,
        { expected: 'no secret', actual: where(first.event, first.sighting) },
        cite(...leaks.slice(0, 10).map(({ event }) => event)),
      )
    }
    const unread = t.events.find((event) =>
      event.secrets?.some((each) => each.kind === unreadKind && place(event, each, t)),
    )
    if (unread) {
      return inconclusive(
        `${placeOf(unread)} is nested or compressed too deeply to read, so it may contain a leak`,
        cite(unread),
      )
    }
    if (scanned.length === 0 && needsEvents) return inconclusive('there was nothing to scan')
    return pass(
      `${scanned.length} events scanned for ${minted.length} grants`,
      cite(...scanned.slice(0, 3)),
    )
  }
}

/** Whether there was more of one of these kinds than was scanned. */
export function unscanned(t: Transcript, ...kinds: readonly string[]): boolean {
  return t.steps('unscanned').some(({ detail }) => kinds.includes(String(detail['kind'])))
}

function describe({ id, kind, encoding }: Sighting): string {
  return `${kind} (${id}${encoding === 'raw' ? '' : `, ${encoding}`})`
}

function where(event: RecordedEvent, { at }: Sighting): string {
  return `${placeOf(event)}, ${at}: ${excerpt(valueAt(event, at))}`
}

/** What a headline says of it; the whole address stands below. */
function kindOfPlace(event: RecordedEvent): string {
  if (event.type === 'output') return event.source
  return 'channel' in event
    ? `a ${event.channel} ${event.type} of ${event.scenario}`
    : `${event.type} of ${event.scenario}`
}

function elsewhere(rest: number): string {
  if (rest === 0) return ''
  return rest === 1 ? ', and in 1 more place' : `, and in ${rest} more places`
}

function placeOf(event: RecordedEvent): string {
  if (event.type === 'output') return event.source
  if (event.type === 'request') return `the message to ${event.url}`
  if (event.type === 'response') return `the ${event.channel} response with status ${event.status}`
  return event.type
}

/** The string of an event that a sighting points at: `body.text`, `headers.location` ... */
function valueAt(event: RecordedEvent, at: string): string {
  const value = at
    .split('.')
    .reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], event)
  return typeof value === 'string' ? value : ''
}

/** The surroundings of the first secret, which is replaced by its name. */
function excerpt(text: string): string {
  const at = Math.max(0, text.search(/\[(secret|text withheld)/))
  return text.slice(Math.max(0, at - 80), at + 120)
}

/** What is for the authorization server alone: a resource server is never sent it (RFC 6749 §1.5, §10.3 to §10.5). */
const notForApis = ['refresh_token', 'authorization_code', 'client_secret', 'code_verifier']

/** The client's own requests; what the browser brings to the authorization endpoint is judged as the URL that it is. */
const isRequest: Place = (event, sighting) => {
  if (event.type !== 'request' || event.channel !== 'provider') return false
  const path = servedPath(event)
  if (path.startsWith('/authorize')) return false
  if (!sighting || sighting.at === 'url') return true
  return isApi(path) && notForApis.includes(sighting.kind)
}

/** What comes back through the browser with the code is known to whoever sees the code. */
const isRedirectParameter: Place = (event, sighting) =>
  event.type === 'request' && event.channel === 'browser' && sighting?.kind === 'code_verifier'
