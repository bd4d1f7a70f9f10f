import { describeExamples } from '../../../../testing.ts'
import { gate, options, recording, unchallenged, type Cases } from '../testing.ts'
import { formScenarios } from './forms.ts'

const form = (): Cases => ({
  pass: { 'a flow began': [recording().asked().opened(), {}, gate()] },
  violation: { 'nothing came': [recording().asked().gaveUp(), {}, gate()] },
  inconclusive: {
    ...unchallenged(),
    'nobody waited': [recording().asked(), {}, gate()],
    'no form is understood': [
      recording().asked().gaveUp(),
      {},
      recording('array').asked().gaveUp(),
    ],
  },
})

describeExamples(
  formScenarios,
  {
    string: { 'mcp-auth-challenge/client/accept-string': form() },
    list: { 'mcp-auth-challenge/client/accept-list': form() },
    'list-in-string': { 'mcp-auth-challenge/client/accept-list': form() },
    'metadata-elsewhere': { 'mcp-auth-challenge/client/follow-chain': form() },
    'metadata-unnamed-path': { 'mcp-auth-challenge/client/find-unnamed-metadata': form() },
    'metadata-unnamed-root': { 'mcp-auth-challenge/client/find-unnamed-metadata': form() },
    'metadata-of-oauth-alone': { 'mcp-auth-challenge/client/follow-chain': form() },
    'metadata-of-openid-alone': { 'mcp-auth-challenge/client/follow-chain': form() },
    modern: {
      'mcp-auth-challenge/client/follow-chain': form(),
      'mcp-auth-challenge/client/retry-with-token': {
        pass: { once: recording().complete() },
        violation: { never: recording().asked().signedIn().window() },
        inconclusive: unchallenged(),
      },
    },
  },
  options,
)
