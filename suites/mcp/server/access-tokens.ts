/** What is asked of requests without an access token, and of those in the session of somebody else. */

import {
  cite,
  inconclusive,
  isAfter,
  pass,
  show,
  violation,
  type Check,
  type Recorded,
  type ResponseEvent,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { issuedGrant, tokenAccesses } from '../../oauth-client/view.ts'
import { connectionOf } from '../wire/link.ts'
import { needsAuthorization } from './needs-authorization.ts'
import {
  servedEndOf,
  type ConnectedCall,
  type Judged,
  type TokenDeclared,
  type TokenDemand,
  type TokenScenario,
} from './token-demand.ts'

type Judge = Check['judge']

export function accessTokenScenarios<C extends ConnectedCall, D extends TokenDeclared>(
  demand: TokenDemand<C, D>,
): readonly TokenScenario<C, D>[] {
  const { rows, control } = demand
  return [
    {
      id: 'without-token',
      title: 'a client without an access token calls the tool',
      control,
      notApplicable: needsAuthorization,
      async drive({ connect, begin, user, observe }) {
        const options = { anonymous: true } as const
        if (!(await connect(user, options))) return
        await begin(user, options).settle()
        await observe()
      },
      checks: [{ requirement: rows.demanded, title: 'answers 401', judge: refusesWith401(demand) }],
    },
    {
      id: 'foreign-session',
      title: 'another user goes on in the session of one who has authorized',
      control,
      notApplicable: needsAuthorization,
      async drive({ begin, user, newUser, observe, sessionOf }) {
        const call = begin(user)
        await user.approve(call)
        await call.ended()
        await begin(user).settle()
        const session = sessionOf(call.connection)
        // Where there are none, nothing can be associated with one.
        if (session?.id === undefined) return
        await begin(newUser('other'), { session }).settle()
        await observe()
      },
      checks: [
        {
          requirement: rows.notBySession,
          title: 'does not know a user by the session',
          judge: boundToMoreThanSession(demand),
        },
      ],
    },
  ]
}

/** `others` are the statuses that are as good for this call. */
export function refusesWith401(
  { callOf }: Judged,
  name = 'call-1',
  others: readonly number[] = [],
): Judge {
  return (t) => {
    const call = callOf(t, name)
    const [asked] = call.asked
    if (asked) {
      return violation(
        'a client without a token was asked to open a URL',
        { expected: 'HTTP 401', actual: 'its user is asked' },
        cite(asked.event),
      )
    }
    const anonymous = t
      .requests('mcp')
      .filter(({ headers, body }) => !headers['authorization'] && body?.text.includes('"id":'))
      .map((request) => t.answer(request))
    const refused = anonymous.find(
      (answer) => answer?.type === 'response' && [401, ...others].includes(answer.status),
    )
    if (refused?.type === 'response') return pass(`HTTP ${refused.status}`, cite(refused))
    const [ended] = call.ended
    const message = 'a call without a token was not answered with 401'
    if (ended) {
      const status = statusOf(t, ended.event.seq)
      const actual = `HTTP ${status ?? 200}: ${show(ended.text)}`
      return violation(message, { expected: 'HTTP 401', actual }, cite(ended.event))
    }
    const otherwise = anonymous.find((answer) => answer?.type === 'response' && isRefusal(answer))
    return otherwise?.type === 'response'
      ? violation(
          message,
          { expected: 'HTTP 401', actual: `HTTP ${otherwise.status}` },
          cite(otherwise),
        )
      : inconclusive('the request without a token was not answered')
  }
}

/** Whether a request was refused for what it is, and not because the server is in trouble. */
export function isRefusal({ status }: ResponseEvent): boolean {
  return status >= 400 && status < 500 && status !== 429
}

function statusOf(t: Transcript, seq: number): number | undefined {
  const event = t.events.find((each) => each.seq === seq)
  return event?.type === 'response' ? event.status : undefined
}

function boundToMoreThanSession({ callOf, callsOf }: Judged): Judge {
  return (t) => {
    const own = callOf(t)
    const served = servedEndOf(callsOf(t))
    if (!served || !issuedGrant(own)) return inconclusive('no user has authorized in the session')
    const other = callOf(t, 'call-3')
    if (other.request === undefined) {
      const opened = opening(t, own.connection)
      if (!opened) return inconclusive('nobody else used the session')
      if (opened.headers['mcp-session-id'] !== undefined)
        return inconclusive('nobody else used the session')
      return pass('there are no sessions', cite(opened))
    }
    const used = tokenAccesses(own).find((access) => isAfter(access, other.request))
    if (used) {
      return violation(
        'a call with another access token was served with what the session had authorized',
        { expected: 'nothing of the other user', actual: show(used.detail['subject']) },
        cite(other.request, used),
      )
    }
    const answer = other.ack
    if (answer?.type !== 'response') return inconclusive('the other user’s call was not answered')
    return pass(`HTTP ${answer.status}, and nothing was served`, cite(other.request, answer))
  }
}

/** The answer by which a connection began. */
export function opening(t: Transcript, connection: string): Recorded<ResponseEvent> | undefined {
  const request = t.requests('mcp').find((each) => connectionOf(each) === connection)
  const answer = request && t.answer(request)
  return answer?.type === 'response' ? answer : undefined
}
