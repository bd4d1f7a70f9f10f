import {
  cite,
  inconclusive,
  notApplicable,
  pass,
  Transcript,
  violation,
  type RecordedEvent,
  type Sighting,
} from '../../../../harness/index.ts'
import { textOf } from '../../messages.ts'
import { check, type Judge } from '../checks.ts'
import { callsOf, citeMessages, isError, type CallView, type Message } from '../view.ts'
import { scenario } from './define.ts'

/** What RAP forbids to show: codes and tokens, also those that the harness forged. */
const tokens = ['access_token', 'refresh_token', 'authorization_code']

/** What OAuth forbids to show besides. */
const credentials = ['client_secret', 'code_verifier', 'id_token', 'registration_access_token']

/** Shapes of stack traces: JavaScript, Python, Go, Java, Rust, PHP. */
const stackTrace =
  /\n\s+at \S.*:\d+|Traceback \(most recent call last\)|File "[^"]+", line \d+|goroutine \d+ \[|\bat [\w.$]+\([\w.]+\.java:\d+\)|panicked at |#\d+ \/\S+\(\d+\):/

function messagesOf(t: Transcript): Message[] {
  return [...scenariosOf(t).values()].flatMap((part) =>
    callsOf(part).flatMap((call) => call.messages),
  )
}

/** The first message to each user who had decided nothing at the provider before, with the call. */
function firstCallsOfUsers(t: Transcript): (readonly [Message, CallView])[] {
  const known = new Set<unknown>()
  return callsOf(t).flatMap((call) => {
    const user = call.sent.user_id
    const [first] = call.messages
    if (typeof user !== 'string' || known.has(user) || !first) return []
    known.add(user)
    return [[first, call] as const]
  })
}

function scenariosOf(t: Transcript): Map<string, Transcript> {
  const parts = new Map<string, RecordedEvent[]>()
  for (const event of t.events) {
    const known = parts.get(event.scenario)
    if (known) known.push(event)
    else parts.set(event.scenario, [event])
  }
  return new Map([...parts].map(([id, events]) => [id, new Transcript(events)]))
}

/** Whether a string of an event is an output of the kind that is scanned. `at` is its path in the event. */
type Place = (event: RecordedEvent, at: string) => boolean

const typeIs = (event: RecordedEvent, types: RegExp): boolean =>
  event.type === 'request' && event.channel === 'callback' && types.test(event.body?.text ?? '')

const isResult: Place = (event) => typeIs(event, /"type"\s*:\s*"(tool_result|subscription_event)"/)

const isOAuthMessage: Place = (event) => typeIs(event, /"type"\s*:\s*"oauth"/)

const isOtherOutput: Place = (event, at) => {
  if (event.type === 'request') return event.channel === 'callback' && !isResult(event, at)
  if (event.type !== 'response' || event.channel === 'provider' || event.channel === 'callback')
    return false
  // A redirect within the tool may carry the browser's own query along, as frameworks do to add a slash.
  return at !== 'headers.location'
}

const isLog: Place = (event) =>
  event.type === 'output' && /^log |(stdout|stderr)$/.test(event.source)

const isStore: Place = (event) => event.type === 'output' && event.source.startsWith('store ')

/** No secret of these kinds in any event of this place; passes only where secrets and such events exist. */
function leaksNothing(kinds: readonly string[], place: Place, { needsEvents = true } = {}): Judge {
  return (t) => {
    const minted = t.provider('grant').filter(({ detail }) => detail['outcome'] === 'issued')
    if (minted.length === 0)
      return inconclusive('no token was issued in the whole run, so none could leak')
    const scanned = t.events.filter((event) => place(event, ''))
    const leaks = t.events.flatMap((event) =>
      (event.secrets ?? [])
        .filter((sighting) => kinds.includes(sighting.kind) && place(event, sighting.at))
        .map((sighting) => ({ event, sighting })),
    )
    const [first] = leaks
    if (first) {
      return violation(
        `${describe(first.sighting)} leaked in ${first.event.scenario}${leaks.length > 1 ? `, and ${leaks.length - 1} more` : ''}`,
        { expected: 'no secret', actual: where(first.event, first.sighting) },
        cite(...leaks.slice(0, 10).map(({ event }) => event)),
      )
    }
    if (scanned.length === 0 && needsEvents) return inconclusive('there was nothing to scan')
    return pass(
      `${scanned.length} events scanned for ${minted.length} grants`,
      cite(...scanned.slice(0, 3)),
    )
  }
}

function describe({ id, kind, encoding }: Sighting): string {
  return `${kind} (${id}${encoding === 'raw' ? '' : `, ${encoding}`})`
}

function where(event: RecordedEvent, { at }: Sighting): string {
  return `${placeOf(event)}, ${at}: ${excerpt(valueAt(event, at))}`
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

export const wholeRun = scenario({
  id: 'whole-run',
  title: 'everything that was recorded, together',
  after: 'all',
  async drive({ recordOutputFiles }) {
    await recordOutputFiles()
  },
  checks: [
    check(
      'rap-oauth/tool/detect-before-attempt',
      'attempts nothing before it is authorized',
      (t) => {
        // While the gate asks, no token of this run exists: any token that is used then is not one of its user.
        const asked = messagesOf(t).find((message) => message.type === 'oauth')
        if (!asked) return inconclusive('no oauth message was seen in the whole run')
        const early = t
          .provider('resource-access')
          .find((access) => access.detail['credential'] !== 'none' && access.t < asked.event.t)
        if (!early) return pass('it asked first', citeMessages(asked))
        const difference = {
          expected: 'an oauth message first',
          actual: `${String(early.detail['route'])} with a token`,
        }
        return violation(
          'the operation was attempted before authorization was asked for',
          difference,
          [...cite(early), ...citeMessages(asked)],
        )
      },
    ),
    check('rap-oauth/tool/token-bound-to-user', 'serves nobody who has not authorized', (t) => {
      const unserved = [...scenariosOf(t).values()].flatMap(firstCallsOfUsers)
      const asked = unserved.filter(([first]) => first.type === 'oauth')
      const served = unserved.find(([first]) => first.type === 'tool_result' && !isError(first))
      if (served) {
        const [first, call] = served
        return violation(
          'a user who has never authorized anything was served',
          { expected: 'an oauth message', actual: textOf(first.value) },
          [...cite(call.request), ...citeMessages(first)],
        )
      }
      if (asked.length < 2) return inconclusive('fewer than two users were asked to authorize')
      return pass(
        `${asked.length} users were asked`,
        citeMessages(...asked.slice(0, 3).map(([first]) => first)),
      )
    }),
    check(
      'rap-oauth/tool/no-secrets-in-results',
      'no token or code in a result',
      leaksNothing(tokens, isResult),
    ),
    check(
      'rap-oauth/tool/no-secrets-in-output',
      'no token or code in any other output',
      leaksNothing(tokens, isOtherOutput),
    ),
    check('rap-oauth/tool/no-secrets-in-logs', 'no token or code in a log', (t, context) => {
      const { driven, logs } = context.declared
      if (driven !== 'command' && !logs) {
        return notApplicable('the harness does not start this tool and declares.logs names no file')
      }
      if (logs && !t.outputs().some(({ source }) => source.startsWith('log '))) {
        return inconclusive('none of the files in declares.logs could be read')
      }
      return leaksNothing(tokens, isLog, { needsEvents: false })(t, context)
    }),
    check(
      'rap-oauth/tool/no-client-secret-in-output',
      'no client secret or verifier in any output',
      (t, context) =>
        leaksNothing(
          credentials,
          (event, at) => isResult(event, at) || isOtherOutput(event, at) || isLog(event, at),
        )(t, context),
    ),
    check(
      'rap-oauth/tool/no-secret-in-auth-url',
      'no secret in an authorization URL',
      leaksNothing([...tokens, 'client_secret'], isOAuthMessage),
    ),
    check('rap-oauth/tool/encrypt-at-rest', 'tokens are encrypted at rest', (t, context) => {
      if (!context.declared.tokenStore)
        return notApplicable('declares.tokenStore names no file or folder')
      const files = t
        .outputs()
        .filter(({ source, bytes }) => source.startsWith('store ') && bytes > 0)
      if (files.length === 0)
        return inconclusive(
          'none of the files in declares.tokenStore could be read, or all are empty',
        )
      return leaksNothing(['access_token', 'refresh_token'], isStore)(t, context)
    }),
    check('rap-oauth/tool/error-prefix', 'error results begin with "Error: "', (t) => {
      const failed = [...scenariosOf(t).values()].filter((part) =>
        part.provider('grant').every(({ detail }) => detail['outcome'] !== 'issued'),
      )
      const asked = failed.flatMap((part) => callsOf(part).filter((call) => call.oauth.length > 0))
      const results = asked.flatMap((call) => call.results)
      if (results.length === 0) return inconclusive('no call ended with an error')
      const without = results.find((result) => !textOf(result.value).startsWith('Error: '))
      if (!without)
        return pass(`${results.length} error results`, citeMessages(...results.slice(0, 3)))
      const difference = { expected: 'Error: …', actual: textOf(without.value) || 'no text' }
      return violation(
        'the result of a call that failed does not begin with "Error: "',
        difference,
        citeMessages(without),
      )
    }),
    check('rap-oauth/tool/no-internals-in-errors', 'no stack trace in a result', (t) => {
      const results = messagesOf(t).filter((message) => message.type === 'tool_result')
      if (results.length === 0) return inconclusive('no result was seen in the whole run')
      const traced = results.find((result) => stackTrace.test(textOf(result.value)))
      if (!traced) return pass(`${results.length} results`, citeMessages(...results.slice(0, 3)))
      const difference = { expected: 'a description for the user', actual: textOf(traced.value) }
      return violation('a result contains a stack trace', difference, citeMessages(traced))
    }),
  ],
})
