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
    'scheme-in-lower-case': { 'mcp-auth-challenge/client/follow-chain': form() },
    'parameters-in-other-case': { 'mcp-auth-challenge/client/follow-chain': form() },
    'scope-unnamed': {
      'mcp-auth-challenge/client/follow-chain': form(),
      'mcp-auth-challenge/client/scopes-of-metadata': {
        pass: {
          'both of them': recording()
            .asked()
            .requested({ scopes: ['items:write', 'items:read'] }),
          'and offline_access': recording()
            .asked()
            .requested({ scopes: ['items:read', 'items:write', 'offline_access'] }),
        },
        violation: {
          'one of them': recording().asked().requested(),
          none: recording().asked().requested({ scopes: [] }),
        },
        inconclusive: { ...unchallenged(), 'no flow': recording().asked().gaveUp() },
      },
    },
    'metadata-elsewhere': { 'mcp-auth-challenge/client/follow-chain': form() },
    'metadata-unnamed-path': { 'mcp-auth-challenge/client/find-unnamed-metadata': form() },
    'metadata-unnamed-root': { 'mcp-auth-challenge/client/find-unnamed-metadata': form() },
    'metadata-of-oauth-alone': { 'mcp-auth-challenge/client/follow-chain': form() },
    'metadata-of-openid-alone': { 'mcp-auth-challenge/client/follow-chain': form() },
    'issuer-with-path-oauth': { 'mcp-auth-challenge/client/follow-chain': form() },
    'issuer-with-path-openid-inserted': { 'mcp-auth-challenge/client/follow-chain': form() },
    'issuer-with-path-openid-appended': { 'mcp-auth-challenge/client/follow-chain': form() },
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
