/** Callbacks with an error, and those that name somebody. */

import {
  cite,
  inconclusive,
  isAfter,
  mark,
  pass,
  pathOf,
  violation,
} from '../../../../harness/engine/index.ts'
import { answeredCallback } from '../../../oauth-client/arrival.ts'
import { issuedGrant } from '../../../oauth-client/view.ts'
import { callOf, runsSince } from '../../view.ts'
import { check, type Judge } from '../checks.ts'
import { saysWhatFailed } from '../clear-errors.ts'
import { needsErrors } from '../conditions.ts'
import { control, scenario, type ManagerScenario } from './define.ts'

/** A callback with an error is answered, and the token endpoint is asked for nothing, not even without a code. */
const exchangesNothing: Judge = (t, { control: twin }) => {
  const reached = answeredCallback(t, 'call-1', 'error')
  if (typeof reached === 'string') return inconclusive(reached)
  if (!twin || !issuedGrant(callOf(twin)))
    return inconclusive('no code is exchanged even in the normal case')
  const asked = t
    .requests('provider')
    .find(({ method, url }) => method === 'POST' && pathOf(url).startsWith('/token'))
  if (!asked) return pass('no token request followed', reached)
  const difference = { expected: 'no token request', actual: 'a token request' }
  return violation('a callback with an error was followed by a token request', difference, [
    ...reached,
    ...cite(asked),
  ])
}

/** On an instance of its own: a token request without a code can be told to belong to no flow. */
const withError = (
  id: string,
  title: string,
  drive: ManagerScenario['drive'],
  more: ManagerScenario['checks'] = [],
): ManagerScenario =>
  scenario({
    id,
    title,
    control,
    ownInstance: true,
    notApplicable: needsErrors,
    drive: async ({ ownInstance }) => drive(await ownInstance('none')),
    checks: [
      check(
        'penguiflow-oauth/manager/no-exchange-after-denial',
        'asks for no token',
        exchangesNothing,
      ),
      ...more,
    ],
  })

const denied = withError(
  'denied',
  'the user denies',
  async ({ begin, user, observe }) => {
    await user.deny(begin(user))
    await observe()
  },
  [
    check(
      'penguiflow-oauth/manager/clear-errors',
      'says that it was denied',
      saysWhatFailed('a denial', (t) => answeredCallback(t, 'call-1', 'error')),
    ),
  ],
)

/** Whatever the error is, a response with one has no code (RFC 6749 §4.1.2.1). */
const besideCode = (id: string, error: string): ManagerScenario =>
  withError(
    id,
    `the callback holds a code and the error ${error}`,
    async ({ begin, user, observe }) => {
      const flow = await user.consent(begin(user))
      await user.follow(flow, user.tampered(flow, { error }))
      await observe()
    },
  )

const errorsBesideCode = [
  besideCode('error-beside-code', 'access_denied'),
  besideCode('other-error-beside-code', 'temporarily_unavailable'),
]

const namesOther = scenario({
  id: 'callback-names-other-user',
  title: 'the callback names another user, whose run has paused as well',
  control: 'stored-token',
  async drive({ begin, user, newUser, mark: note }) {
    const [call, other] = [begin(user), newUser('other')]
    const flow = await user.consent(call)
    await begin(other).answered()
    const names = Object.fromEntries(nameMembers.map((name) => [name, other.id]))
    await user.follow(flow, user.tampered(flow, names))
    // The browser may have its page before the code is redeemed.
    await call.calledBack()
    note('named')
    await begin(other).answered()
    await begin(user).answered()
  },
  checks: [
    check(
      'penguiflow-oauth/manager/user-from-flow',
      'stores the token for the user of the flow',
      (t, { control: twin }) => {
        const since = mark(t, 'named')
        const own = callOf(t)
        const issued = issuedGrant(own)
        if (!issued) return inconclusive('no token was issued after that callback')
        const [others, again] = [callOf(t, 'call-3'), callOf(t, 'call-4')]
        const [first, second] = [others.outcomes[0], again.outcomes[0]]
        if (!since || !first || !second)
          return inconclusive('the later runs did not all pause or end')
        const evidence = cite(issued, first, second)
        const used = own.accesses.filter((access) => isAfter(access, since))
        // What the token is used for after that is the last run, of the user to whom it belongs.
        const served = used.find((access) => isAfter(first, access))
        const [ran] = [...runsSince(others, since), ...(served ? [served] : [])]
        if (ran) {
          const difference = { expected: `a pause for ${others.user}`, actual: 'a run of the tool' }
          return violation('the callback decided whose token it is', difference, [
            ...evidence,
            ...cite(ran),
          ])
        }
        // It may have paused for something else after that.
        if (used.length > 0 || runsSince(again, since).length > 0)
          return pass('the token was stored for the user whose run had paused', evidence)
        if (!twin || callOf(twin).accesses.length < 2)
          return inconclusive('no token is stored even in the normal case', evidence)
        const difference = {
          expected: `a run of the tool for ${own.user}`,
          actual: 'another pause',
        }
        return violation(
          'the token was not stored for the user whose run had paused',
          difference,
          evidence,
        )
      },
    ),
  ],
})

/** What a callback could say of its user. */
const nameMembers = ['user', 'user_id', 'userId', 'sub', 'login_hint']

export const callbackScenarios = [denied, ...errorsBesideCode, namesOther]
