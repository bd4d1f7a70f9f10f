import { elsewhereCall } from '../../../oauth-client/vocabulary.ts'
import {
  cite,
  inconclusive,
  pass,
  Transcript,
  violation,
  type Body,
  mark,
  show,
} from '../../../../harness/engine/index.ts'
import { textOf, textsOf } from '../../messages.ts'
import {
  check,
  echoes,
  echoesCallId,
  postsJson,
  usesCallbackUrl,
  validMessages,
  type Judge,
} from '../checks.ts'
import { acknowledgesTaken } from '../acknowledged.ts'
import { absoluteAuthUrl, httpsAuthUrl } from '../auth-url.ts'
import { callsOf, citeMessages, fieldsOf, type Message } from '../view.ts'
import {
  challengesDiffer,
  isOwnAnswer,
  leakChecks,
  loadsNothingForeign,
  othersDataKept,
  statesDifferInRun,
  tokensInHeaders,
  type Place,
} from '../../../oauth-client/scenarios/index.ts'
import { partsOf } from '../../../oauth-client/parts.ts'
import { hasToken, served } from '../../../oauth-client/view.ts'
import { handoff } from '../handoff.ts'
import { badInvocations } from './bad-invocations.ts'
import { scenario } from './define.ts'

/** Shapes of stack traces: JavaScript, Python, Go, Java, Rust, PHP, .NET, Ruby, Elixir. */
const stackTrace =
  /\n[ \t]+at \S.*:\d+|Traceback \(most recent call last\)|File "[^"]+", line \d+|goroutine \d+ \[|\bat [\w.$]+\([\w.]+\.java:\d+\)|panicked at |#\d+ \/\S+\(\d+\):|\n[ \t]+at \S.* in \S+:line \d+|\.rb:\d+:in [`']|\.exs?:\d+: \w/

/** In a text that is JSON line breaks are escaped. */
function holdsStackTrace(words: string): boolean {
  return [words, words.replaceAll(String.raw`\n`, '\n').replaceAll(String.raw`\t`, '\t')].some(
    (text) => stackTrace.test(text),
  )
}

function messagesOf(t: Transcript): Message[] {
  return [...partsOf(t).values()].flatMap((part) => callsOf(part).flatMap((call) => call.messages))
}

/** Judges every call of every scenario but some: a violation anywhere counts, and a pass needs at least one. */
function everyCall(judgeOf: (name: string) => Judge, but: readonly string[] = []): Judge {
  return (t, context) => {
    const parts = [...partsOf(t)].filter(([id]) => !but.includes(id))
    const judgements = parts.flatMap(([, part]) =>
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

/** In a message of these types, or the event as a whole; the headers around it are another output. */
const inMessage =
  (...types: readonly string[]): Place =>
  (event, sighting) =>
    event.type === 'request' &&
    event.channel === 'callback' &&
    (!sighting || sighting.at.startsWith('body')) &&
    types.includes(typeOf(event.body))

/** What cannot be parsed, because it was cut off or is no JSON, may still say of what type it was. */
function typeOf(body: Body | undefined): string {
  const said = fieldsOf(body)?.['type'] ?? /"type"\s*:\s*"(\w+)"/.exec(body?.text ?? '')?.[1]
  return typeof said === 'string' ? said : ''
}

const isResult = inMessage('tool_result', 'subscription_event')

const isOAuthMessage = inMessage('oauth')

const isOtherOutput: Place = (event, sighting, t) => {
  // What a redirected token request takes along is for no-credentials-elsewhere to judge.
  if (event.type === 'request')
    return (
      event.channel === 'callback' && event.call !== elsewhereCall && !isResult(event, sighting, t)
    )
  return isOwnAnswer(event, sighting, t)
}

/** In which no token was issued, or the API served nothing of all that it was asked. */
function cannotSucceed(part: Transcript): boolean {
  const issued = part.provider('grant').some(({ detail }) => detail['outcome'] === 'issued')
  const accesses = part.provider('resource-access')
  return !issued || (accesses.length > 0 && !accesses.some(served))
}

/** Results of calls that cannot have succeeded in their whole scenario. */
function failedResults(t: Transcript): Message[] {
  // What a forged callback brings about may be wrong in other ways than by its words.
  const failed = [...partsOf(t).values()].filter(
    (part) => !mark(part, 'forged') && cannotSucceed(part),
  )
  const asked = failed.flatMap((part) => callsOf(part).filter((call) => call.oauth.length > 0))
  return asked.flatMap((call) => call.results)
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
        const [asked] = messagesOf(t)
          .filter((message) => message.type === 'oauth')
          .sort((a, b) => a.event.t - b.event.t)
        if (!asked) return inconclusive('no oauth message was seen in the whole run')
        const early = t
          .provider('resource-access')
          .find((access) => hasToken(access) && access.t < asked.event.t)
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
      'rap-oauth/tool/acknowledge-with-200',
      'acknowledges every invocation that it takes',
      everyCall(acknowledgesTaken, badInvocations),
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
      'rap-oauth/tool/auth-url-complete',
      'gives an absolute URL in every oauth message',
      everyCall(absoluteAuthUrl),
    ),
    check(
      'rap-oauth/tool/auth-url-https',
      'uses HTTPS in every oauth message',
      everyCall(httpsAuthUrl),
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
    othersDataKept(handoff),
    ...leakChecks({ result: isResult, asked: isOAuthMessage, other: isOtherOutput }),
    challengesDiffer,
    tokensInHeaders,
    statesDifferInRun(handoff),
    loadsNothingForeign,
    check('rap-oauth/tool/error-in-text', 'errors are described in text', (t) => {
      const results = failedResults(t).filter(({ value }) => textOf(value).trim() !== '')
      if (results.length === 0) return inconclusive('no call ended with an error')
      const without = results.find(({ value }) => typeof value['text'] !== 'string')
      if (!without)
        return pass(`${results.length} error results`, citeMessages(...results.slice(0, 3)))
      return violation(
        'an error is described in content only, and not in text',
        { expected: 'text: "Error: …"', actual: show(without.value['content']) },
        citeMessages(without),
      )
    }),
    check('rap-oauth/tool/error-prefix', 'error results begin with "Error: "', (t) => {
      const results = failedResults(t)
      if (results.length === 0) return inconclusive('no call ended with an error')
      const without = results.find(
        (result) => !textsOf(result.value).some((words) => words.startsWith('Error: ')),
      )
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
      const traced = results.find(({ value }) => textsOf(value).some(holdsStackTrace))
      if (!traced) return pass(`${results.length} results`, citeMessages(...results.slice(0, 3)))
      const difference = {
        expected: 'a description for the user',
        actual: textsOf(traced.value).join('\n'),
      }
      return violation('a result contains a stack trace', difference, citeMessages(traced))
    }),
  ],
})
