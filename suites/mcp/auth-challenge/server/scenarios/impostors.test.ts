import { describeExamples } from '../../../../testing.ts'
import { issuer, options, recording, type Cases } from '../testing.ts'
import { impostorScenarios } from './impostors.ts'

const keysAsked = {
  type: 'request',
  channel: 'provider',
  exchange: 'p1',
  method: 'GET',
  url: `${issuer}/jwks`,
  headers: {},
} as const

const taken = () => recording().followed().step('impostor').call()

const asks: Cases = {
  pass: { 'it left': taken().step('connection-unused').http(500) },
  violation: { 'it asked for keys': taken().event(keysAsked).served() },
  inconclusive: {
    'no certificate was changed': recording().followed().call().http(500),
    'it asked for nothing': taken().served(),
    'it left before': recording().followed().step('connection-unused').step('impostor').call(),
  },
}

describeExamples(
  impostorScenarios,
  Object.fromEntries(
    impostorScenarios.map(({ id }) => [
      id,
      { 'mcp-auth-challenge/server/verify-issuer-certificate': asks },
    ]),
  ),
  options,
)
