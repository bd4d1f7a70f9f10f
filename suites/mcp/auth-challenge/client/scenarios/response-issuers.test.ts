import { describeExamples } from '../../../../testing.ts'
import { options, recording, type Cases } from '../testing.ts'
import { responseIssuerScenarios } from './response-issuers.ts'

const returned = () => recording().asked().opened().requested().returned()

const issuers = (): Cases => ({
  pass: { 'nothing is redeemed': returned().window() },
  violation: { 'the code is redeemed': returned().granted().window() },
  inconclusive: {
    'nobody came back': recording().asked().opened().window(),
    'nobody watched': returned(),
  },
})

/** An error came back, and its page says this. */
const failed = () => recording().asked().opened().requested().returned(`error=${error}`)
const error = 'account_of_another_locked'

const errors: Cases = {
  pass: {
    'nothing is shown': failed().window(),
    'other words are shown': failed().shown('The sign-in failed.').window(),
    'a log has them': failed().logged(error).window(),
  },
  violation: {
    'the error': failed().shown(`failed: ${error}`),
    'its description': failed().shown('failed: Call the support line of another issuer.'),
    'on the page': recording().asked().opened().requested().returned(`error=${error}`, error),
  },
  inconclusive: {
    'nobody came back': recording().asked().opened().window(),
    'nobody watched': failed(),
  },
}

const id = 'mcp-auth-challenge/client/validate-response-issuer'

describeExamples(
  responseIssuerScenarios,
  {
    ...Object.fromEntries(responseIssuerScenarios.map((each) => [each.id, { [id]: issuers() }])),
    'modern-issuer-wrong-in-error': { [id]: errors },
  },
  options,
)
