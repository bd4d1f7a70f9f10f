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

describeExamples(
  responseIssuerScenarios,
  Object.fromEntries(
    responseIssuerScenarios.map(({ id }) => [
      id,
      { 'mcp-auth-challenge/client/validate-response-issuer': issuers() },
    ]),
  ),
  options,
)
