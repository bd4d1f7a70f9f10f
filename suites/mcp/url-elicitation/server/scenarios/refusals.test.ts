import { describe, expect, test } from 'vitest'
import { Transcript } from '../../../../../harness/engine/index.ts'
import { describeExamples } from '../../../../testing.ts'
import { options, recording, type Cases } from '../testing.ts'
import { refusalScenarios, refusedLinkScenarios } from './refusals.ts'

type Recording = ReturnType<typeof recording>

/** Asked so many times more, and refused each time. */
const insisting = (t: Recording, action: string, times: number): Recording =>
  Array.from({ length: times }).reduce<Recording>((asked) => asked.elicit().answer(action), t)

const handled = (action: string): Cases => {
  const refused = () => recording().begin().elicit().answer(action)
  return {
    pass: {
      'an error result': refused().failed(),
      'an error of the protocol': refused().fails(),
      'words of any kind': refused().result('Fine, another time then.'),
      'asked anew': refused().elicit(),
      'asked anew a few times': insisting(refused(), action, 5).failed(),
      'the call had not waited': recording()
        .begin()
        .elicit()
        .result('Sign in first.')
        .answer(action)
        .window(),
    },
    violation: {
      'the call stays pending': refused().gaveUp(),
      'a code was redeemed': refused().grant().failed(),
      'asked again and again': insisting(refused(), action, 11).failed(),
      'only its timeout ends it': [refused().after(10_000).failed(), { pendingTimeoutMs: 10_000 }],
    },
    inconclusive: {
      'nothing was refused': recording().begin().elicit().failed(),
      'the refusal did not arrive': recording().begin().elicit().answer(action, 500).gaveUp(),
      'the run did not wait for the end': refused(),
      'the run did not wait long enough': refused().gaveUp(1000),
      'its timeout may have ended it': [
        recording().begin().elicit().after(9000).answer(action).after(500).failed(),
        { pendingTimeoutMs: 10_000 },
      ],
      'it ended before, and nobody watched': recording().begin().elicit().failed().answer(action),
    },
  }
}

describeExamples(
  refusalScenarios,
  Object.fromEntries(
    ['decline', 'cancel', 'error'].map((action) => [
      `answered-with-${action}`,
      { 'mcp-url-elicitation/server/handle-refusal': handled(action) },
    ]),
  ),
  options,
)

const next = (t: Recording) => t.begin().elicit()
const refusedBy = (action: string) => recording().begin().elicit().answer(action).failed()

/** `opened` is the link of a call that was answered so, or the way back from the provider. */
const dead = (action: string, visited: (t: Recording) => Recording): Cases => {
  const opened = () => visited(refusedBy(action))
  return {
    pass: {
      'nothing is redeemed': next(opened()).window(),
      'who declined is not asked any more, and others are': next(
        opened().begin().failed(),
      ).window(),
      'nothing but a login is redeemed': next(
        opened().grant({ grantType: 'client_credentials' }),
      ).window(),
      'its link leads through a login': [
        next(opened().redeemed('login', ['openid'])).window(),
        {},
        recording().begin().elicit().redeemed('flow', ['items:read']),
      ],
    },
    violation: {
      'all that it ever asks for is a login': [
        next(opened().redeemed('login', ['openid'])).window(),
        {},
        recording().begin().elicit().redeemed('flow', ['openid']),
      ],
      'its code is redeemed': next(opened().grant()),
      'it is tried': next(opened().grant({ outcome: 'refused' })),
    },
    inconclusive: {
      'nobody refused': next(visited(recording().begin().elicit())).window(),
      'nobody opened it': next(refusedBy(action)).window(),
      'nothing was asked for after it': opened().begin().failed().window(),
      'nobody watched': next(opened()),
    },
  }
}

const back = dead('decline', (t) => t.step('visited', { ended: 'interaction' }).callback())
const meanwhile: Cases = {
  ...back,
  pass: {
    ...back.pass,
    'the link leads nowhere before it is answered': next(
      recording().begin().elicit().step('visited', { ended: 'page' }).answer('decline').failed(),
    ).window(),
  },
  violation: {
    ...back.violation,
    'its code is redeemed, and the browser gets no answer': next(
      refusedBy('decline').step('visited', { ended: 'failure' }).grant(),
    ).window(),
  },
  inconclusive: {
    ...back.inconclusive,
    'nobody came back from the provider': next(
      refusedBy('decline').step('visited', { ended: 'interaction' }),
    ).window(),
    'the link could not be opened': next(
      refusedBy('decline').step('visited', { ended: 'failure' }),
    ).window(),
  },
}

const link = (action: string) => ({
  'mcp-url-elicitation/server/declined-link-dead': dead(action, (t) => t.step('visited')),
})

describeExamples(
  refusedLinkScenarios,
  {
    'declined-link-opened': link('decline'),
    'cancelled-link-opened': link('cancel'),
    'failed-link-opened': link('error'),
    'declined-while-at-the-provider': {
      'mcp-url-elicitation/server/declined-link-dead': meanwhile,
    },
  },
  options,
)

describe('what a server need not offer', () => {
  const seen = (t: Transcript) => refusalScenarios[0]?.needs?.seen(new Map([['x', t]]))

  test('is an elicitation that is answered', () => {
    expect(seen(recording().begin().elicit().transcript)).toBeDefined()
    expect(seen(recording().begin().required().transcript)).toBeUndefined()
    expect(seen(recording().begin().input().transcript)).toBeUndefined()
  })
})

describe('links that a server need not offer', () => {
  const seen = (t: Transcript) => refusedLinkScenarios[0]?.needs?.seen(new Map([['x', t]]))
  const twice = (first: string, second: string) =>
    recording().begin().elicit({ url: first }).begin().elicit({ url: second }).transcript

  test('are of one elicitation each', () => {
    expect(seen(twice('http://127.0.0.1:1/a', 'http://127.0.0.1:1/b'))).toBeDefined()
    expect(seen(twice('http://127.0.0.1:1/a', 'http://127.0.0.1:2/a'))).toBeUndefined()
    expect(seen(recording().begin().elicit().transcript)).toBeUndefined()
    expect(seen(recording().begin().required().begin().required().transcript)).toBeUndefined()
  })
})
