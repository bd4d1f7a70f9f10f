import { describe, expect, test } from 'vitest'
import { answeredCalls, describeChecks, judge, recording, type Cases } from '../testing.ts'
import type { ToolScenario } from './define.ts'
import { callerScenarios } from './callers.ts'
import { tokenScenarios } from './oauth-client.ts'

const byId = (id: string): ToolScenario =>
  [...tokenScenarios, ...callerScenarios].find((scenario) => scenario.id === id)!

/** The second call of a user who has authorized; the token of the first call is used for it. */
const second = () => recording().completed().invoke()
const served = () => second().on('call-1').access().on('call-2')

const reused: Cases = {
  pass: { 'served with the stored token': served().result() },
  violation: {
    'asked again': second().oauth(),
    'served without the token': second().result('3 items'),
    'asked again, although the token was used': served().oauth(),
    'the stored token was refused': second()
      .on('call-1')
      .access({ outcome: 'refused' })
      .on('call-2')
      .result('Error: 401'),
  },
  inconclusive: {
    'the first call was not served': recording().authorized().result().invoke().oauth(),
    'the second call got no message': second().gaveUp(),
    'there was no second call': recording().completed(),
  },
}

const third = () => served().result().invoke({ user_id: 'stranger' })

/** Somebody else calls after the user was served with the stored token. */
const strangers: Cases = {
  pass: {
    'the stranger is asked': third().oauth(),
    'the stranger is refused': third().result('Error: not authorized'),
  },
  violation: {
    'the stranger is served': third().result('3 items of subject-of-user'),
    'the stored token is used for the stranger': third().on('call-1').access().on('call-3').oauth(),
    'it is used although an error is reported': third()
      .on('call-1')
      .access({ outcome: 'refused' })
      .on('call-3')
      .result('Error: 403'),
  },
  inconclusive: {
    'no token was issued': recording().asked().invoke().invoke().oauth(),
    'the stranger got no message': third().gaveUp(),
    'nothing shows whose token served the stranger': third().result('3 items'),
    'there was no stranger': served().result(),
  },
}

const query = { arguments: { title: 'Äpfel & Birnen' } }
const items = '/resource/items'
const sent = encodeURIComponent(query.arguments.title)

/** What the API is asked after consent, and then with the stored token. */
function asks(retry: readonly string[], later: readonly string[]) {
  const t = recording().asked(query).callback().grant()
  for (const path of retry) t.upstream(path)
  t.result().invoke(query).on('call-1')
  for (const path of later) t.upstream(path)
  return t.on('call-2').result()
}

test.each([
  ['oauth-client/reuse-stored-token', () => second()],
  ['oauth-client/token-bound-to-user', () => third()],
])('a call that was asked too much at once proves nothing about %s', (requirement, begun) => {
  const found = judge(byId('stored-token'), requirement, begun().result('Error: Too many calls.'))
  expect(found.outcome).toBe('inconclusive')
})

describeChecks(byId('stored-token'), {
  'oauth-client/reuse-stored-token': reused,
  'oauth-client/retry-operation': {
    pass: {
      'the same, once': asks([`${items}?q=${sent}`], [`${items}?q=${sent}`]),
      'arguments that nobody can see': asks([items], [items]),
      'two requests each': asks([`${items}?q=${sent}`, items], [`${items}?q=${sent}`, items]),
      'the account is looked up first': asks(
        ['/resource/account', `${items}?q=${sent}`],
        [`${items}?q=${sent}`],
      ),
      'through the MCP server': asks(['/mcp'], ['/mcp']),
    },
    violation: {
      'without its arguments': asks([items], [`${items}?q=${sent}`]),
      twice: asks([items, items], [items]),
      'twice, and never again': asks([items, items], []),
    },
    inconclusive: { 'it was not retried': asks([], [items]) },
  },
  'oauth-client/token-bound-to-user': strangers,
})

test('a use of the token for a stranger counts also where the user was asked again', () => {
  const asked = second().oauth().invoke({ user_id: 'stranger' })
  const t = asked.on('call-1').access().on('call-3').result('3 items')
  const found = judge(byId('stored-token'), 'oauth-client/token-bound-to-user', t)
  expect(found.outcome).toBe('violation')
})

for (const [id, other] of [
  ['numeric-user-ids', '01'],
  ['long-user-ids', 'x'.repeat(300)],
] as const) {
  describeChecks(byId(id), {
    'oauth-client/token-bound-to-user': {
      pass: { 'the others are asked': recording().completed().invoke({ user_id: other }).oauth() },
      violation: {
        'one is served': served()
          .result()
          .invoke({ user_id: other })
          .result('3 items of subject-of-user'),
      },
      inconclusive: { 'nobody else called': recording().completed() },
    },
  })
}

/** The stored token is tried, and the API fails. */
const tried = () => second().on('call-1').upstream(items, 500).on('call-2')

for (const { id } of tokenScenarios.filter((each) => each.id.startsWith('stored-token-'))) {
  describeChecks(byId(id), {
    'oauth-client/never-permanently-pending': {
      pass: { 'an error result': tried().result('Error: 500') },
      violation: { 'nothing comes': tried().gaveUp() },
      inconclusive: {
        'it was not tried': second().gaveUp(),
        'nobody waited': tried(),
      },
    },
    'rap-oauth/tool/single-result': {
      pass: { one: tried().result('Error: 500').window() },
      violation: { two: tried().result('Error: 500').result('Error: 500').window() },
      inconclusive: { none: tried().window() },
    },
  })
}

describeChecks(byId('restart-between-calls'), {
  'oauth-client/store-durably': reused,
  'oauth-client/token-bound-to-user': strangers,
})

const nobody = { user_id: null }
const authorizedByNobody = () => recording().completed(nobody).invoke({ user_id: undefined })

describeChecks(byId('callers-without-user-id'), {
  'rap-oauth/tool/never-drop-invocation': answeredCalls,
  'oauth-client/token-bound-to-user': {
    pass: {
      'both are asked': authorizedByNobody().oauth(),
      'both are refused': recording()
        .invoke(nobody)
        .result('Error: who?')
        .invoke({ user_id: undefined })
        .result('Error: who?'),
      'both are refused with 400': recording()
        .invoke(nobody, 400)
        .invoke({ user_id: undefined }, 400),
      'the second is refused': recording().completed(nobody).invoke({ user_id: undefined }, 400),
      'both are refused in words of its own': [
        recording()
          .invoke(nobody)
          .result('who are you?')
          .invoke({ user_id: undefined })
          .result('{"error":"who are you?"}'),
        {},
        recording().completed(),
      ],
      'the second is refused in words of its own': authorizedByNobody().result('who are you?'),
    },
    violation: {
      'the second is served': authorizedByNobody().result('3 items of subject-of-user'),
      'the token of the first is used': authorizedByNobody()
        .on('call-1')
        .access()
        .on('call-2')
        .oauth(),
    },
    inconclusive: {
      'no token was issued': recording().asked(nobody).invoke({ user_id: undefined }).oauth(),
      'the second got no message': authorizedByNobody().gaveUp(),
      'the first got no message': recording().invoke(nobody).gaveUp(),
    },
  },
})

describe('callers without user_id who are served although none of them authorized', () => {
  const judged = (example: ReturnType<typeof recording>) =>
    judge(byId('callers-without-user-id'), 'oauth-client/token-bound-to-user', example).outcome

  test('the first of them', () => {
    const t = recording().invoke(nobody).result('3 items').invoke({ user_id: undefined })
    expect(judged(t.result('3 items'))).not.toBe('pass')
  })

  test('the others', () => {
    const t = recording().invoke(nobody).result('Error: who?').invoke({ user_id: undefined })
    expect(judged(t.result('3 items'))).not.toBe('pass')
  })
})

test('a refusal of the first caller proves nothing about a second that was never answered', () => {
  const t = recording().invoke(nobody, 400).invoke({ user_id: undefined }, 'open')
  const found = judge(byId('callers-without-user-id'), 'oauth-client/token-bound-to-user', t)
  expect(found.outcome).toBe('inconclusive')
})

test('a refusal does not hide that a token was used', () => {
  const t = authorizedByNobody().on('call-1').access().on('call-2').result('Error: 403')
  const found = judge(byId('callers-without-user-id'), 'oauth-client/token-bound-to-user', t)
  expect(found.outcome).toBe('violation')
})

test('a tool that is declared to serve nobody without user_id is not asked to', () => {
  expect(byId('callers-without-user-id').notApplicable).toBeDefined()
})

/** The access token expired, and a refresh was issued before the second call got its result. */
const refreshed = () =>
  second().on('call-1').refresh('refresh_token-1').access().on('call-2').result()

/** A timer refreshed before the second call came. */
const refreshedBefore = (token: string) =>
  recording()
    .completed()
    .refresh('refresh_token-1', { issued: ['access_token-2', 'refresh_token-2'] })
    .invoke()
    .on('call-1')
    .access({ token })
    .on('call-2')
    .result()

/** Registered without the refresh grant: nothing to refresh with is issued. */
const unrefreshable = () =>
  recording()
    .asked()
    .callback()
    .grant({ issued: ['access_token-1'] })
    .access()
    .result()

test('a client that is issued no refresh token is told what to declare', () => {
  const found = judge(
    byId('access-token-expired'),
    'oauth-client/refresh-expired-token',
    unrefreshable().invoke().oauth(),
  )
  expect(found.message).toContain('declares.refreshTokens: false')
})

describeChecks(byId('access-token-expired'), {
  'oauth-client/refresh-expired-token': {
    pass: {
      'refreshed, then served': refreshed(),
      'refreshed before the call, then served': refreshedBefore('access_token-2'),
    },
    violation: {
      'refreshed before the call, but served with the old one': refreshedBefore('access_token-1'),
      'asked again': second().oauth(),
      'asked again although it was refreshed': second()
        .on('call-1')
        .refresh('refresh_token-1')
        .on('call-2')
        .oauth(),
      'the refresh was refused': second()
        .on('call-1')
        .refused('invalid_client', { grantType: 'refresh_token' })
        .on('call-2')
        .result('Error: refresh'),
      'served without a refresh': served().result(),
    },
    inconclusive: {
      'no token was issued': recording().asked().invoke().oauth(),
      'the second call got no message': second().gaveUp(),
      'the provider issued no refresh token': unrefreshable().invoke().oauth(),
      'there was no second call': recording().completed(),
      'the refreshed token had expired again': second()
        .on('call-1')
        .step('age', { ms: 2000 })
        .refresh('refresh_token-1')
        .on('call-2')
        .after(2000)
        .oauth(),
    },
  },
  'oauth-client/use-rotated-refresh-token': {
    pass: {
      'the new one each time': refreshed()
        .invoke()
        .on('call-1')
        .refresh('refresh_token-2')
        .on('call-3')
        .result(),
    },
    violation: {
      'the old one again': refreshed()
        .invoke()
        .on('call-1')
        .refresh('refresh_token-1', { outcome: 'refused', error: 'invalid_grant' })
        .on('call-3')
        .oauth(),
    },
    inconclusive: {
      'it refreshed once': refreshed().invoke().oauth(),
      'it never refreshed': second().oauth(),
    },
  },
})

test('a refresh for the third call does not prove one for the second', () => {
  const t = second().result('Error: 401').invoke()
  t.on('call-1').refresh('refresh_token-1').access().on('call-3').result()
  const found = judge(
    byId('access-token-expired'),
    'oauth-client/refresh-expired-token',
    t.window(),
  )
  expect(found.outcome).not.toBe('pass')
})

test('a refresh token that was not rotated may be presented again', () => {
  const t = second().on('call-1')
  t.refresh('refresh_token-1', { outcome: 'refused', error: 'invalid_client' })
  t.refresh('refresh_token-1').refresh('refresh_token-2')
  const found = judge(
    byId('access-token-expired'),
    'oauth-client/use-rotated-refresh-token',
    t.window(),
  )
  expect(found.outcome).toBe('pass')
})

/** The second call hands over a URL with this state; the first one had state-1. */
function shownAgain(state: string) {
  const t = recording().invoke().oauth().authorizationRequest({ state: 'state-1' }).callback()
  return t.grant().access().result().invoke().oauth().authorizationRequest({ state })
}

const reauthorized: Record<string, Cases> = {
  'oauth-client/reauthorize-when-token-invalid': {
    pass: { 'asked again': second().oauth() },
    violation: {
      'an error instead': second().result('Error: 401'),
      'nothing comes': second().gaveUp(),
    },
    inconclusive: {
      'no token was issued': recording().asked().invoke().oauth(),
      'there was no second call': recording().completed(),
      'the second call was not answered': second().invoke({}, 'open').on('call-2'),
    },
  },
  'oauth-client/complete-call': {
    pass: { 'the second call completes': recording().completed().completed() },
    violation: {
      'it does not': recording().completed().authorized().gaveUp(),
      'it ends by the refused token': recording()
        .completed()
        .authorized()
        .on('call-1')
        .access({ outcome: 'refused' })
        .on('call-2')
        .result(),
      'its user is shown the URL of the first call again': shownAgain('state-1')
        .callback()
        .gaveUp(),
    },
    inconclusive: {
      'no second token was issued': second().oauth().gaveUp(),
      'with a state of its own': shownAgain('state-2').callback().gaveUp(),
      'nobody waited': shownAgain('state-1').callback(),
      'nobody came back with the URL of the first call': shownAgain('state-1').gaveUp(),
    },
  },
}
describeChecks(byId('refresh-refused'), reauthorized)

/** The user authorized two calls, and makes a third. */
const afterTwo = () => recording().completed().completed().invoke()

describeChecks(byId('grant-revoked'), {
  ...reauthorized,
  'oauth-client/reuse-stored-token': {
    pass: {
      'served with the second token': afterTwo().on('call-2').access().on('call-3').result(),
    },
    violation: {
      'asked a third time': afterTwo().oauth(),
      'the first token was tried': afterTwo()
        .on('call-1')
        .access({ outcome: 'refused' })
        .on('call-3')
        .oauth(),
    },
    inconclusive: {
      'the second call was not served': recording().completed().authorized().invoke().oauth(),
      'the third call got no message': afterTwo().gaveUp(),
      'there was no third call': recording().completed().completed(),
    },
  },
})

test('without refresh tokens nothing can be refreshed', () => {
  const { notApplicable } = byId('access-token-expired')
  expect(byId('refresh-refused').notApplicable).toBe(notApplicable)
  const declared = { refreshTokens: true } as never
  expect(notApplicable?.(declared)).toBeUndefined()
  expect(notApplicable?.({ refreshTokens: false } as never)).toContain('declares.refreshTokens')
})

/** After an authorization, somebody calls whose identifier is almost the same. */
const lookalike = () => recording().completed({ user_id: 'user-1' }).invoke({ user_id: 'USER-1' })

describeChecks(byId('similar-user-ids'), {
  'oauth-client/token-bound-to-user': {
    pass: { 'each is asked': lookalike().oauth().invoke({ user_id: ' user-1' }).oauth() },
    violation: {
      'one is served with the token': lookalike()
        .on('call-1')
        .access()
        .on('call-2')
        .result('3 items')
        .invoke({ user_id: ' user-1' })
        .oauth(),
      'one gets data of the other, another gets nothing': lookalike()
        .gaveUp()
        .invoke({ user_id: ' user-1' })
        .result('items of subject-of-user'),
    },
    inconclusive: {
      'one got nothing': lookalike().oauth().invoke({ user_id: ' user-1' }).gaveUp(),
      'nobody else called': recording().completed(),
      'no token was issued': recording().asked().invoke({ user_id: 'USER-1' }).oauth(),
    },
  },
})
