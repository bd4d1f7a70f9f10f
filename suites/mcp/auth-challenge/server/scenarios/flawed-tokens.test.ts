import { expect, test } from 'vitest'
import { describeExamples } from '../../../../testing.ts'
import { refusesToken } from '../examples.ts'
import { options, recording, type Cases } from '../testing.ts'
import {
  alteredAfterUse,
  flawedAfterUse,
  flawedTokenScenarios,
  similarAudiences,
} from './flawed-tokens.ts'

const unlike = [...flawedTokenScenarios, similarAudiences]

describeExamples(
  unlike,
  Object.fromEntries(
    unlike.map(({ id }) => [id, { 'mcp-auth-challenge/server/enforce': refusesToken() }]),
  ),
  options,
)

const again = () => recording().complete().call()

const forgets: Cases = {
  pass: { 'HTTP 401': again().http(401), 'challenged again': again().challenged() },
  violation: {
    served: again().served(),
    'served the second time': again().challenged().call().served(),
  },
  inconclusive: {
    'not answered': again(),
    'one of two is not answered': again().challenged().call(),
    'the call was not made': recording().complete(),
    'nothing was served before': recording().followed().call().challenged().call().served(),
  },
}

describeExamples(
  [alteredAfterUse, flawedAfterUse],
  Object.fromEntries(
    [alteredAfterUse, flawedAfterUse].map(({ id }) => [
      id,
      { 'mcp-auth-challenge/server/enforce': forgets },
    ]),
  ),
  options,
)

test('whoever reads of a token learns how it was made', () => {
  const [judged] = alteredAfterUse.checks
  const t = recording()
    .complete()
    .step('token', { flaw: 'cut-short', token: 'access_token-2' })
    .on('call-3')
    .step('begin', { bearer: 'access_token-2' })
    .again()
    .served().transcript
  expect(judged?.judge(t, options.context({}, undefined))).toMatchObject({
    outcome: 'violation',
    message: expect.stringContaining('(cut-short)'),
  })
})
