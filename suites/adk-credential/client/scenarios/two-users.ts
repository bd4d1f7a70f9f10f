import {
  cite,
  inconclusive,
  pass,
  show,
  violation,
  type Recorded,
  type SurfaceEvent,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { carriesConfigs, passesOnCallbacks, staysInSessions } from '../answer-checks.ts'
import { check, type Judge } from '../checks.ts'
import { shownUrls } from '../../../host/shown-urls.ts'
import { askedOf, parameter, type Asked } from '../view.ts'
import { control, needsUsers, scenario } from './define.ts'

const calls = ['call-1', 'call-2'] as const

/** A page of one conversation on which the URL of another one stands. */
function shownElsewhere(
  t: Transcript,
  { call, opened }: Asked,
): Recorded<SurfaceEvent> | undefined {
  const begun = t.steps('begin', call)[0]
  const [url] = opened.map(({ detail }) => String(detail['url']))
  const state = parameter(url ?? '', 'state')
  if (url === undefined || state === undefined) return undefined
  const { origin, pathname } = new URL(url)
  return t
    .surfaces()
    .find(
      ({ conversation, text }) =>
        conversation !== undefined &&
        conversation !== begun?.detail['conversation'] &&
        shownUrls(text, origin + pathname).some((each) => parameter(each, 'state') === state),
    )
}

const keepsUsersApart: Judge = (t) => {
  const [first, second] = calls.map((call) => askedOf(t, call)[0])
  if (!first || !second) return inconclusive('not both users were asked for a credential')
  const evidence = cite(first.event, second.event)
  if (first.place.user === second.place.user) {
    return violation(
      'two users of the application are one user of the agent',
      { expected: 'a userId for each', actual: show(first.place.user) },
      evidence,
    )
  }
  const seen = shownElsewhere(t, first) ?? shownElsewhere(t, second)
  if (seen) {
    return violation(
      'a user was shown what another one is asked for',
      { expected: 'the authorization URL in their own conversation alone', actual: seen.text },
      [...evidence, ...cite(seen)],
    )
  }
  if (first.opened.length === 0 || second.opened.length === 0)
    return inconclusive('not both were sent to an authorization URL', evidence)
  return pass('each is a user of their own, and was shown their own request', evidence)
}

export const twoUsers = scenario({
  id: 'two-users',
  title: 'two users of the application are asked at the same time; the second comes back first',
  control,
  notApplicable: needsUsers,
  async drive({ open }) {
    const client = await open(['user', 'another-user'])
    const first = await client.begin()
    await first.opened()
    const second = await client.begin({ as: 1 })
    await second.complete()
    await second.answered()
    await first.complete()
    await first.answered()
  },
  checks: [
    check('adk-credential/client/users-apart', 'keeps them apart', keepsUsersApart),
    check(
      'adk-credential/client/same-session',
      'answers for each in their own session',
      staysInSessions(calls.length),
    ),
    check(
      'adk-credential/client/answer-carries-auth-config',
      'answers each with its own AuthConfig',
      carriesConfigs(calls.length),
    ),
    check(
      'adk-credential/client/callback-verbatim',
      'passes each callback on with its own request',
      passesOnCallbacks(calls.length),
    ),
  ],
})

/** A table may compare names without regard to case; the agent keeps what it is given by the whole of them. */
export const usersOfOtherCase = scenario({
  id: 'users-of-other-case',
  title: 'two users are asked whose names differ in the case of their letters',
  control: 'two-users',
  notApplicable: needsUsers,
  async drive({ open }) {
    const client = await open(['Somebody', 'somebody'])
    const first = await client.begin()
    await first.opened()
    const second = await client.begin({ as: 1 })
    await second.opened()
  },
  checks: [check('adk-credential/client/users-apart', 'keeps them apart', keepsUsersApart)],
})
