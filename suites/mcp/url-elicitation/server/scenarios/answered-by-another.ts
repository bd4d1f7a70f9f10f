import {
  cite,
  gaveUpAfter,
  inconclusive,
  isAfter,
  pass,
  show,
  violation,
  watched,
  type Recorded,
  type RequestEvent,
  type Transcript,
} from '../../../../../harness/engine/index.ts'
import type { User } from '../../../../oauth-client/user.ts'
import { mayHaveTimedOut } from '../../../../oauth-client/view.ts'
import type { ConnectOptions } from '../../../server/connections.ts'
import { serverFrames, type Frame } from '../../../wire/frames.ts'
import { connectionOf, sentChannel } from '../../../wire/link.ts'
import { elicitationsIn, isUrlMode } from '../../elicitation.ts'
import { endingOf } from '../../../server/tool-calls.ts'
import { answeredWith, check, servedEnd, type Judge } from '../checks.ts'
import { needsAuthorization, needsHandshake } from '../conditions.ts'
import type { Declared } from '../configuration.ts'
import type { Call } from '../session.ts'
import type { Fixtures } from '../test-bed.ts'
import { callOf } from '../view.ts'
import { isRefusal } from '../../../server/access-tokens.ts'
import { control, scenario } from './define.ts'

/** The refusal that came on the connection of somebody else. */
function foreignRefusal(t: Transcript): Recorded<RequestEvent> | undefined {
  const { connection } = callOf(t)
  return t
    .requests(sentChannel)
    .find(
      (each) =>
        connectionOf(each) !== connection &&
        each.body?.text.includes('"action":"decline"') === true,
    )
}

/** A request for the user of the call that went to somebody who has called nothing. */
function strayAsking(t: Transcript): Frame | undefined {
  const { name, request, connection, askings, ended } = callOf(t)
  if (ended.length === 0 && gaveUpAfter(t, name) === undefined) return undefined
  const asked = serverFrames(t).filter(({ message }) => elicitationsIn(message).length > 0)
  // Who asks everybody as soon as they come asks the user of the call, too.
  if (askings.length > 0 || asked.some((each) => each.connection === connection)) return undefined
  return asked.find(({ event }) => request !== undefined && isAfter(event, request))
}

/** Whether a server can tell its clients apart whoever their user is: by their sessions, or their processes. */
function areApart(t: Transcript, { transport }: Declared): boolean {
  return transport === 'stdio' || callOf(t).request?.headers['mcp-session-id'] !== undefined
}

/** The call goes on as if nothing had been said. */
const staysPending: Judge = (t, { declared }) => {
  const call = callOf(t)
  if (call.request && !declared.authorization && !areApart(t, declared))
    return inconclusive('there are neither tokens nor sessions, so nobody can be told apart')
  const stray = strayAsking(t)
  if (stray) {
    return violation(
      'an elicitation came to another client, which had called nothing',
      { expected: 'one to the client that called the tool', actual: `one on ${stray.connection}` },
      cite(call.request, stray.event),
    )
  }
  const asking = call.askings.find(isUrlMode)
  if (asking?.how === 'error' && watched(t) !== undefined)
    return pass('it asks by an error, which nobody answers', cite(asking.frame.event))
  const refusal = foreignRefusal(t)
  if (!refusal) return inconclusive('nobody else answered')
  const accepted = answeredWith(t, call.name, 'accept')
  // Who is called again has ended first all the same.
  const [ended] = call.replies.map(endingOf)
  if (ended && !isAfter(ended.event, refusal)) {
    const served = servedEnd(t)
    return served && isAfter(served.event, refusal)
      ? pass('the answer of its own user counted', cite(ended.event, refusal, served.event))
      : inconclusive('the call had ended before somebody else answered', cite(ended.event))
  }
  if (ended && !isAfter(ended.event, accepted)) {
    if (mayHaveTimedOut(call, ended.event, declared.pendingTimeoutMs))
      return inconclusive('the pending timeout may have ended it', cite(refusal, ended.event))
    return violation(
      'the answer of another client to an elicitation ended the call that it belongs to',
      { expected: 'a call that waits for the answer of its own client', actual: show(ended.text) },
      cite(refusal, ended.event),
    )
  }
  if (watched(t, refusal) === undefined || !accepted)
    return inconclusive('the run did not watch whether the call stays pending', cite(refusal))
  return pass('the call waited for its own client', cite(refusal, accepted, ended?.event))
}

/** Where there is nothing but the user, two clients of theirs are one. */
const staysPendingOfUser: Judge = (t, context) => {
  const { request } = callOf(t)
  return request && !areApart(t, context.declared)
    ? pass('there are no sessions by which a client could be told', cite(request))
    : staysPending(t, context)
}

/** The answer is refused for who sends it, or it counts for nothing. */
const staysPendingInSession: Judge = (t, context) => {
  const { request, ended } = callOf(t)
  if (request && !areApart(t, context.declared))
    return pass('there are no sessions that somebody else could go on in', cite(request))
  const refusal = foreignRefusal(t)
  const answer = refusal && t.answer(refusal)
  const isOver = ended.some(({ event }) => !isAfter(event, refusal))
  // Who ends the session, too, of which somebody else knows the id, has not taken the answer.
  if (answer?.type === 'response' && isRefusal(answer) && !isOver)
    return pass(`HTTP ${answer.status}`, cite(refusal, answer))
  return staysPending(t, context)
}

/** Somebody connects, and declines for the user who is then asked, who goes on. */
async function declinedBy(
  somebody: User,
  fixtures: Fixtures,
  options?: ConnectOptions,
): Promise<void> {
  const { connect, answerFor } = fixtures
  await connect(somebody, options)
  await whileAsked(fixtures, (call) => answerFor(somebody, call, 'decline', options))
}

/** The same with a token of their own in the session of the user, where there are any. */
async function declinedInSession(fixtures: Fixtures): Promise<void> {
  const { newUser, answerFor, sessionOf } = fixtures
  await whileAsked(fixtures, async (call) => {
    const session = sessionOf(call.connection)
    if (session?.id !== undefined) await answerFor(newUser('other'), call, 'decline', { session })
  })
}

/** Something is done while a user is asked, who goes on. */
async function whileAsked(
  { begin, user, observeWhilePending, oauthClient }: Fixtures,
  decline: (call: Call) => Promise<void>,
): Promise<void> {
  const call = begin(user)
  await call.awaitUrl()
  const { how } = call.view().askings.find(isUrlMode)!
  // The error -32042 asks for no answer, and so leaves nothing that somebody else could give.
  if (how === 'error') return observeWhilePending()
  // Who does not wait for an answer ends by itself.
  await observeWhilePending()
  await decline(call)
  await observeWhilePending()
  if (oauthClient) await user.approve(call)
  else await call.answer('accept')
  await call.settle()
}

export const answeredByAnotherClient = scenario({
  id: 'answered-by-another-client',
  title: 'another client of the user who is asked declines, on its own connection',
  control,
  notApplicable: needsHandshake,
  drive: (fixtures) => declinedBy(fixtures.user, fixtures, { client: 'another' }),
  checks: [
    check(
      'mcp-url-elicitation/server/bind-requests',
      'takes the answer of the very client that was asked',
      staysPendingOfUser,
    ),
  ],
})

export const answeredByAnother = scenario({
  id: 'answered-by-another',
  title: 'another user declines, on their own connection, for the one who is asked',
  control,
  notApplicable: needsHandshake,
  drive: (fixtures) => declinedBy(fixtures.newUser('other'), fixtures),
  checks: [
    check(
      'mcp-url-elicitation/server/bind-requests',
      'takes the answer of its own client only',
      staysPending,
    ),
  ],
})

export const answeredInSession = scenario({
  id: 'answered-by-another-in-the-session',
  title: 'another user, with a token of their own, declines in the session of the one who is asked',
  control,
  notApplicable: (declared) => needsAuthorization(declared) ?? needsHandshake(declared),
  drive: declinedInSession,
  checks: [
    check(
      'mcp-url-elicitation/server/bind-requests',
      'takes no answer of another user, whatever session it comes in',
      staysPendingInSession,
    ),
  ],
})
