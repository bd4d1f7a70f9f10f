import { describeExamples, withoutShared } from '../../../../testing.ts'
import { options, recording } from '../testing.ts'
import { tokenScenarios } from './oauth-client.ts'

const failing = tokenScenarios.filter(({ id }) => id.startsWith('stored-token-resource-'))

/** An authorized user calls again. */
const again = () => recording().served().begin()
/** The API, which was asked with the stored token, has failed. */
const tried = () =>
  again().on('call-1').upstream('/resource/items').access({ outcome: 'failed' }).on('call-2')

const cases = {
  'mcp-url-elicitation/server/error-only-when-needed': {
    pass: {
      'the call fails': tried().failed('The service did not answer.'),
      'an error of another code': tried().fails(),
      'asked again by a request': tried().elicit(),
    },
    violation: { 'asked by the error': tried().required() },
    inconclusive: {
      'the first call was not served': recording().agreed().failed().begin().required(),
      'the stored token was not tried': again().required(),
      'the error came before': again().required().on('call-1').upstream('/resource/items'),
      'the second call was not answered': tried(),
    },
    'not-applicable': {
      'a later revision': [tried().failed(), { revision: '2026-07-28' as const }] as const,
    },
  },
}

describeExamples(
  failing.map(withoutShared),
  Object.fromEntries(failing.map(({ id }) => [id, cases])),
  options,
)
