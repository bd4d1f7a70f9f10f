import {
  cite,
  inconclusive,
  pass,
  show,
  violation,
  watched,
  type Transcript,
} from '../../../../../harness/engine/index.ts'
import { partsOf } from '../../../../oauth-client/parts.ts'
import { unlessUnreached } from '../../../../oauth-client/scenarios/index.ts'
import { issuedGrant } from '../../../../oauth-client/view.ts'
import { check, type Judge } from '../checks.ts'
import { callOf, callsOf } from '../view.ts'
import { completedAfterReturn, completionsIn } from './completion.ts'
import { needsHandshake } from '../conditions.ts'
import { control, scenario } from './define.ts'

/** A notification of completion whose id nobody was given. */
function unknownCompletion(t: Transcript): Completion | undefined {
  const ids = callsOf(t).flatMap(({ askings }) =>
    askings.map(({ params }) => params['elicitationId']),
  )
  return completionsIn(t).find(({ id }) => !ids.includes(id))
}

/** That none of the run names an elicitation that there is not; none at all is as good. */
export const namesWhatThereIs: Judge = (t) => {
  const completions = [...partsOf(t).values()].flatMap((part) => {
    const wrong = unknownCompletion(part)
    return wrong ? [wrong] : []
  })
  const [wrong] = completions
  if (wrong) {
    return violation(
      'a notification of completion names an unknown elicitation',
      { expected: 'the id that was given', actual: `elicitationId ${show(wrong.id)}` },
      cite(wrong.frame.event),
    )
  }
  const grant = t.provider('grant').find(({ detail }) => detail['outcome'] === 'issued')
  if (!grant) return inconclusive('no interaction was completed')
  return pass('each names one that was asked for', cite(grant))
}

/** A notification of completion that went to another client than the one that was asked. */
function strayCompletion(t: Transcript): Completion | undefined {
  return completionsIn(t).find(({ frame, id }) => {
    const asked = callsOf(t).filter(({ askings }) =>
      askings.some(({ params }) => params['elicitationId'] === id),
    )
    return asked.length > 0 && asked.every(({ connection }) => connection !== frame.connection)
  })
}

/** What is missing where not both were asked. */
function twoAsked(t: Transcript): string | undefined {
  return callOf(t, 'call-2').asked.length === 0 ? onlyOne : undefined
}

export const twoSessions = scenario({
  id: 'two-sessions',
  title: 'two users are asked at the same time, and one of them, who has two clients, authorizes',
  control,
  notApplicable: needsHandshake,
  async drive({ begin, connect, user, newUser, observe, oauthClient }) {
    // Before the one that is asked: a server may let a user have no other beside the latest.
    await connect(user, { client: 'another' })
    const other = newUser('other')
    const calls = [begin(user), begin(other)] as const
    await Promise.all(calls.map((call) => call.asked()))
    if (!oauthClient) return observe()
    await user.approve(calls[0])
    await calls[0].ended()
    await observe()
  },
  checks: [
    check(
      'mcp-url-elicitation/server/complete-to-initiator',
      'tells only the one who was asked that it is complete',
      tellsInitiatorOnly(twoAsked),
    ),
    check(
      'mcp-url-elicitation/server/complete-id',
      'names the elicitation that is complete',
      watchingCompletions(
        unknownCompletion,
        'a notification of completion names an unknown elicitation',
        'the id that was given',
        twoAsked,
      ),
    ),
    check(
      'mcp-url-elicitation/server/complete-after',
      'says it of nobody who is still asked',
      completedAfterReturn((t) => {
        const grant = issuedGrant(callOf(t))
        if (!grant) return 'no interaction was completed'
        return callOf(t, 'call-2').asked.length > 0 ? cite(grant) : onlyOne
      }),
    ),
  ],
})

/** Who keeps one client for each user takes the later one for the one that was asked. */
export const laterSession = scenario({
  id: 'later-session',
  title: 'a user is asked, then another client of theirs connects, and they authorize',
  control,
  notApplicable: needsHandshake,
  async drive({ begin, connect, user, observe, oauthClient }) {
    const call = begin(user)
    await call.asked()
    await connect(user, { client: 'later' })
    if (!oauthClient) return observe()
    await user.approve(call)
    // A server may let a user have no other client beside the latest.
    await call.ended().catch(unlessUnreached)
    await observe()
  },
  checks: [
    check(
      'mcp-url-elicitation/server/complete-to-initiator',
      'tells only the client that was asked that it is complete',
      tellsInitiatorOnly(),
    ),
  ],
})

const onlyOne = 'only one user was asked'

type Completion = ReturnType<typeof completionsIn>[number]

function tellsInitiatorOnly(lacking?: (t: Transcript) => string | undefined): Judge {
  const what = 'a client was told of the elicitation of another one'
  return watchingCompletions(strayCompletion, what, 'nothing about it', lacking)
}

/** What is wrong with a notification of completion; none at all is as good, since there was one to send. */
function watchingCompletions(
  find: (t: Parameters<Judge>[0]) => Completion | undefined,
  message: string,
  expected: string,
  lacking: (t: Transcript) => string | undefined = () => undefined,
): Judge {
  return (t) => {
    const wrong = find(t)
    if (wrong) {
      return violation(message, { expected, actual: `elicitationId ${show(wrong.id)}` }, [
        ...cite(wrong.frame.event),
      ])
    }
    const grant = issuedGrant(callOf(t))
    if (!grant) return inconclusive('no interaction was completed')
    const lacks = lacking(t)
    if (lacks !== undefined) return inconclusive(lacks)
    if (watched(t, grant) === undefined)
      return inconclusive('the run did not watch for notifications')
    const seen = completionsIn(t).map(({ frame }) => frame.event)
    return pass(`${seen.length} notifications`, cite(grant, ...seen))
  }
}
