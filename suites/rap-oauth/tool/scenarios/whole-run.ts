import { elsewhereCall } from '../../../oauth-client/vocabulary.ts'
import {
  cite,
  inconclusive,
  notApplicable,
  pass,
  Transcript,
  unreadKind,
  violation,
  type RecordedEvent,
  type Sighting,
  isAfter,
  mark,
  pathOf,
  show,
} from '../../../../harness/engine/index.ts'
import { textOf } from '../../messages.ts'
import {
  check,
  echoes,
  echoesCallId,
  postsJson,
  usesCallbackUrl,
  validMessages,
  type Judge,
} from '../checks.ts'
import {
  callOf,
  callsOf,
  citeMessages,
  isError,
  subjectsOf,
  type CallView,
  type Message,
} from '../view.ts'
import { scenario } from './define.ts'

/** What RAP forbids to show: codes and tokens, also those that the harness forged. */
const tokens = ['access_token', 'refresh_token', 'authorization_code']

/** What OAuth forbids to show besides. */
const credentials = ['client_secret', 'code_verifier', 'id_token', 'registration_access_token']

/** Shapes of stack traces: JavaScript, Python, Go, Java, Rust, PHP. */
const stackTrace =
  /\n[ \t]+at \S.*:\d+|Traceback \(most recent call last\)|File "[^"]+", line \d+|goroutine \d+ \[|\bat [\w.$]+\([\w.]+\.java:\d+\)|panicked at |#\d+ \/\S+\(\d+\):/

function messagesOf(t: Transcript): Message[] {
  return [...scenariosOf(t).values()].flatMap((part) =>
    callsOf(part).flatMap((call) => call.messages),
  )
}

/** Judges every call of every scenario: a violation anywhere counts, and a pass needs at least one. */
function everyCall(judgeOf: (name: string) => Judge): Judge {
  return (t, context) => {
    const judgements = [...scenariosOf(t).values()].flatMap((part) =>
      callsOf(part).map(({ name }) => judgeOf(name)(part, context)),
    )
    const violated = judgements.find(({ outcome }) => outcome === 'violation')
    if (violated) return violated
    const passed = judgements.filter(({ outcome }) => outcome === 'pass')
    if (passed.length === 0) return inconclusive('no call of the whole run could be judged')
    return pass(
      `${passed.length} calls`,
      passed.slice(0, 3).flatMap(({ evidence }) => evidence),
    )
  }
}

/** A result that names an account at the provider, as the items of the mock do, which is not one of its user's. */
function foreignData(
  t: Transcript,
): { readonly result: Message; readonly call: CallView } | undefined {
  const subjects = new Set(t.provider('decision').map(({ detail }) => String(detail['subject'])))
  for (const part of scenariosOf(t).values()) {
    for (const call of callsOf(part)) {
      if (typeof call.sent.user_id !== 'string') continue
      const own = subjectsOf(part, call.sent.user_id)
      const result = call.results.find(({ value }) => {
        const named = textOf(value).match(/subject-of-[\w-]+/g) ?? []
        return named.some((subject) => subjects.has(subject) && !own.includes(subject))
      })
      if (result) return { result, call }
    }
  }
  return undefined
}

/**
 * Whether the result of somebody who has authorized nothing is made of another's: meanwhile a token was used
 * although no call of its user was open.
 */
function servedForAnother(t: Transcript, result: Message, call: CallView): boolean {
  const during = t
    .provider('resource-access')
    .filter((access) => typeof access.detail['token'] === 'string')
    .filter((access) => isAfter(access, call.request) && isAfter(result.event, access))
  const parts = scenariosOf(t)
  return during.some((access) => {
    const part = parts.get(access.scenario)
    const owner = part && access.call ? callOf(part, access.call).sent.user_id : undefined
    const own = part && owner ? callsOf(part).filter(({ sent }) => sent.user_id === owner) : []
    return !own.some((each) => isOpenAt(each, access))
  })
}

function isOpenAt({ request, results }: CallView, moment: RecordedEvent): boolean {
  const [result] = results
  return isAfter(moment, request) && (!result || isAfter(result.event, moment))
}

/** The first message to each user who had decided nothing at the provider before, with the call. */
function firstCallsOfUsers(t: Transcript): (readonly [Message, CallView])[] {
  const known = new Set<unknown>()
  return callsOf(t).flatMap((call) => {
    const user = call.sent.user_id
    const [first] = call.answers
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

/** Whether a string of an event is an output of the kind that is scanned. */
type Place = (event: RecordedEvent, sighting: Sighting | undefined, t: Transcript) => boolean

/** In a message of these types, or the event as a whole; the headers around it are another output. */
const inMessage =
  (types: RegExp): Place =>
  (event, sighting) =>
    event.type === 'request' &&
    event.channel === 'callback' &&
    (!sighting || sighting.at.startsWith('body')) &&
    types.test(event.body?.text ?? '')

const isResult = inMessage(/"type"\s*:\s*"(tool_result|subscription_event)"/)

const isOAuthMessage = inMessage(/"type"\s*:\s*"oauth"/)

const isOtherOutput: Place = (event, sighting, t) => {
  // What a redirected token request takes along is for no-credentials-elsewhere to judge.
  if (event.type === 'request')
    return (
      event.channel === 'callback' && event.call !== elsewhereCall && !isResult(event, sighting, t)
    )
  if (event.type !== 'response' || event.channel === 'provider' || event.channel === 'callback')
    return false
  return sighting?.at !== 'headers.location' || !isSpellingRedirect(event, sighting, t)
}

/**
 * A redirect to another spelling of the same path carries the browser's own query along, as frameworks do to add a
 * slash: the code in it tells nobody anything new.
 */
function isSpellingRedirect(event: RecordedEvent, { kind }: Sighting, t: Transcript): boolean {
  if (event.type !== 'response' || kind !== 'authorization_code') return false
  const request = t
    .requests('browser')
    .find((each) => each.scenario === event.scenario && each.exchange === event.exchange)
  const location = event.headers['location'] ?? ''
  if (!request || !URL.canParse(location, request.url)) return false
  const [from, to] = [new URL(request.url), new URL(location, request.url)]
  const spelling = (url: URL): string => url.pathname.replace(/\/+$/, '').toLowerCase()
  return from.origin === to.origin && spelling(from) === spelling(to)
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
    const scanned = t.events.filter((event) => place(event, undefined, t))
    const leaks = t.events.flatMap((event) =>
      (event.secrets ?? [])
        .filter((sighting) => kinds.includes(sighting.kind) && place(event, sighting, t))
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
    const unread = t.events.find((event) =>
      event.secrets?.some((each) => each.kind === unreadKind && place(event, each, t)),
    )
    if (unread) {
      return inconclusive(
        `${placeOf(unread)} is nested or compressed beyond what is read, so a leak could be in it`,
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
function unscanned(t: Transcript, ...kinds: readonly string[]): boolean {
  return t.steps('unscanned').some(({ detail }) => kinds.includes(String(detail['kind'])))
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

/** Results of calls that cannot have succeeded: in their whole scenario no token was issued. */
function failedResults(t: Transcript): Message[] {
  // What a forged callback brings about may be wrong in other ways than by its words.
  const failed = [...scenariosOf(t).values()].filter(
    (part) =>
      !mark(part, 'forged') &&
      part.provider('grant').every(({ detail }) => detail['outcome'] !== 'issued'),
  )
  const asked = failed.flatMap((part) => callsOf(part).filter((call) => call.oauth.length > 0))
  return asked.flatMap((call) => call.results)
}

/** The tool's own requests; what the browser brings to the authorization endpoint is judged as the URL that it is. */
const isRequestUrl: Place = (event, sighting) =>
  event.type === 'request' &&
  event.channel === 'provider' &&
  (!sighting || sighting.at === 'url') &&
  !pathOf(event.url).startsWith('/authorize')

/** What comes back through the browser with the code is known to whoever sees the code. */
const isRedirectParameter: Place = (event, sighting) =>
  event.type === 'request' && event.channel === 'browser' && sighting?.kind === 'code_verifier'

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
        const [asked] = messagesOf(t)
          .filter((message) => message.type === 'oauth')
          .sort((a, b) => a.event.t - b.event.t)
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
    check(
      'rap-oauth/tool/echo-id',
      'echoes id in every message',
      everyCall((name) => echoes('id', name)),
    ),
    check(
      'rap-oauth/tool/echo-group-id',
      'echoes group_id in every message',
      everyCall((name) => echoes('group_id', name)),
    ),
    check(
      'rap-oauth/tool/echo-call-id',
      'echoes call_id in every message',
      everyCall(echoesCallId),
    ),
    check(
      'rap-oauth/tool/oauth-message-valid',
      'sends valid oauth messages only',
      everyCall((name) => validMessages('oauth', name)),
    ),
    check(
      'rap-oauth/tool/result-message-valid',
      'sends valid results only',
      everyCall((name) => validMessages('tool_result', name)),
    ),
    check(
      'rap-oauth/tool/callback-is-json-post',
      'posts every message as JSON',
      everyCall(postsJson),
    ),
    check(
      'rap-oauth/tool/callback-url-verbatim',
      'uses every callback URL as given',
      everyCall(usesCallbackUrl),
    ),
    check('oauth-client/token-bound-to-user', "serves nobody with what is another's", (t) => {
      const foreign = foreignData(t)
      if (foreign) {
        return violation(
          "a user got another user's data",
          {
            expected: `data of ${String(foreign.call.sent.user_id)}`,
            actual: textOf(foreign.result.value),
          },
          [...cite(foreign.call.request), ...citeMessages(foreign.result)],
        )
      }
      const unserved = [...scenariosOf(t).values()].flatMap(firstCallsOfUsers)
      const asked = unserved.filter(([first]) => first.type === 'oauth')
      const served = unserved.find(
        ([first, call]) =>
          first.type === 'tool_result' && !isError(first) && servedForAnother(t, first, call),
      )
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
      'oauth-client/no-secrets-in-results',
      'no token or code in a result',
      leaksNothing(tokens, isResult),
    ),
    check(
      'oauth-client/no-secrets-in-output',
      'no token or code in any other output',
      leaksNothing(tokens, isOtherOutput),
    ),
    check('oauth-client/no-secrets-in-logs', 'no token or code in a log', (t, context) => {
      const { driven, logs } = context.declared
      if (driven !== 'command' && !logs) {
        return notApplicable('the harness does not start this tool and declares.logs names no file')
      }
      if (logs && !t.outputs().some(({ source }) => source.startsWith('log '))) {
        return inconclusive('none of the files in declares.logs could be read')
      }
      const judgement = leaksNothing(tokens, isLog, { needsEvents: false })(t, context)
      return judgement.outcome === 'pass' && unscanned(t, 'output', 'log')
        ? inconclusive('more was printed or logged than is scanned')
        : judgement
    }),
    check(
      'oauth-client/no-client-secret-in-output',
      'no client secret or verifier in any output',
      (t, context) =>
        leaksNothing(
          credentials,
          (...seen) =>
            isResult(...seen) ||
            isOtherOutput(...seen) ||
            isLog(...seen) ||
            isRedirectParameter(...seen),
        )(t, context),
    ),
    check(
      'oauth-client/no-secret-in-auth-url',
      'no secret in an authorization URL',
      leaksNothing([...tokens, 'client_secret'], isOAuthMessage),
    ),
    check(
      'oauth-client/no-secret-in-request-url',
      'no secret in the URL of a request to the provider',
      leaksNothing([...tokens.slice(1), ...credentials], isRequestUrl),
    ),
    check('oauth-client/pkce-s256', 'no code challenge twice in the whole run', (t) => {
      const requests = t
        .provider('authorization-request')
        .filter(({ detail }) => detail['valid'] === true && detail['codeChallenge'] !== undefined)
      // A link that is opened again is the same request.
      const again = requests.find(({ detail }, index) =>
        requests
          .slice(0, index)
          .some(
            ({ detail: earlier }) =>
              earlier['codeChallenge'] === detail['codeChallenge'] &&
              earlier['state'] !== detail['state'],
          ),
      )
      if (again) {
        const same = requests.filter(
          ({ detail }) => detail['codeChallenge'] === again.detail['codeChallenge'],
        )
        return violation(
          'several flows have the same code challenge',
          {
            expected: 'a new verifier for each flow (RFC 7636 §4.1)',
            actual: `${same.length} flows with ${String(again.detail['codeChallenge'])}`,
          },
          cite(...same.slice(0, 5)),
        )
      }
      if (requests.length < 2) return inconclusive('fewer than two requests have a code challenge')
      return pass(`${requests.length} requests`, cite(...requests.slice(0, 3)))
    }),
    check('rap-oauth/tool/error-in-text', 'errors are described in text', (t) => {
      const results = failedResults(t).filter(({ value }) => textOf(value).trim() !== '')
      if (results.length === 0) return inconclusive('no call ended with an error')
      const without = results.find(({ value }) => typeof value['text'] !== 'string')
      if (!without)
        return pass(`${results.length} error results`, citeMessages(...results.slice(0, 3)))
      return violation(
        'the description of an error stands in content only',
        { expected: 'text: "Error: …"', actual: show(without.value['content']) },
        citeMessages(without),
      )
    }),
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
          'the declared store is larger than what is scanned; declare a smaller part of it',
        )
      }
      return leaksNothing(['access_token', 'refresh_token'], isStore)(t, context)
    }),
    check('rap-oauth/tool/error-prefix', 'error results begin with "Error: "', (t) => {
      const results = failedResults(t)
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
