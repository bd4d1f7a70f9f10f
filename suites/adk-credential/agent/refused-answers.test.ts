import { expect, test } from 'vitest'
import { violation, type Check } from '../../../harness/engine/index.ts'
import type { Declared } from './configuration.ts'
import { callOf } from './view.ts'
import { options, recording, said } from './testing.ts'
import {
  answersWithoutCredential,
  refusedWithoutCredential,
  unlessRefused,
} from './refused-answers.ts'

const config = { auth_scheme: { scheme_type: 'o_auth2' }, raw_auth_credential: {} }
const asked = (t = recording()) =>
  t
    .begin()
    .model([], 'list_items')
    .events([
      said.call(),
      { ...said.result(config, 'paused-1', 'adk_request_credential'), author: 'items' },
    ])
const answer = (response: Record<string, unknown>) =>
  asked().send([{ functionResponse: { id: 'paused-1', name: 'adk_request_credential', response } }])
const filled = { ...config, exchanged_auth_credential: { oauth2: { access_token: 't' } } }

test('an AuthConfig without a credential that is refused', () => {
  expect(callOf(asked().transcript).requests).toHaveLength(1)
  const { transcript } = answer(config).answered(400)
  expect(refusedWithoutCredential(transcript)).toMatchObject({ status: 400 })
  expect(answersWithoutCredential.seen(new Map([['a', transcript]]))).toBeUndefined()
})

test.each([
  ['with a credential', answer(filled).answered(400)],
  ['that is taken', answer(config).events([])],
  ['that is no use to the server', answer(config).answered(500)],
  ['that is not answered', answer(config)],
  ['in the dialect of calls', recording().asked().callback().answered(400)],
])('not one %s', (_, { transcript }) => {
  expect(refusedWithoutCredential(transcript)).toBeUndefined()
})

test('one that is taken shows that they are', () => {
  const run = new Map([['a', answer(config).events([]).transcript]])
  expect(answersWithoutCredential.seen(run)).toMatchObject({ status: 200 })
})

/** A check of what comes of a failure, and nothing came. */
const unended = unlessRefused<Check<Declared>>({
  requirement: 'r',
  title: 't',
  judge: () => violation('no end', { expected: 'an end', actual: 'none' }, []),
})

test.each([
  ['inconclusive', 'in the first call', answer(config).answered(400)],
  ['violation', 'nowhere', answer(config).events([])],
])('nothing comes of a failure: %s where the answer is refused %s', (outcome, _, t) => {
  expect(unended.judge(t.transcript, options.context({}, undefined)).outcome).toBe(outcome)
})

test('nothing comes of a failure in a later call, whose answer is refused', () => {
  const t = asked(recording().served()).send([
    { functionResponse: { id: 'paused-1', name: 'adk_request_credential', response: config } },
  ])
  const { transcript } = t.answered(400)
  expect(unended.judge(transcript, options.context({}, undefined)).outcome).toBe('inconclusive')
})
