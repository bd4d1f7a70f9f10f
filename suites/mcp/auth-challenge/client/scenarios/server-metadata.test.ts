import { describeExamples } from '../../../../testing.ts'
import {
  noFlowExamples,
  options,
  recording,
  sighting,
  unchallenged,
  type Cases,
} from '../testing.ts'
import { serverMetadataScenarios } from './server-metadata.ts'

const issuer = (): Cases => {
  const cases = noFlowExamples((t) => t.discovered())
  const unread = { 'the metadata was not fetched': recording().asked().window() }
  return { ...cases, inconclusive: { ...cases.inconclusive, ...unread } }
}

const began = () => recording().asked().discovered().opened().requested()

const inClear = (): Cases => ({
  pass: {
    'no flow began': recording().asked().discovered().window(),
    'the flow ends with the callback': began().returned().window(),
  },
  violation: {
    'a code': began().returned().sentElsewhere(sighting('authorization_code', 'body.text')),
    'a request without any': began().returned().sentElsewhere(),
  },
  inconclusive: {
    ...unchallenged(),
    'the metadata was not fetched': recording().asked().window(),
    'nobody came back': began().window(),
    'nobody watched': began().returned(),
  },
})

const impostor = () => recording().step('impostor', {}).asked()

describeExamples(
  serverMetadataScenarios,
  {
    'issuer-of-another': { 'mcp-auth-challenge/client/validate-metadata-issuer': issuer() },
    'issuer-begins-alike': { 'mcp-auth-challenge/client/validate-metadata-issuer': issuer() },
    'unsafe-endpoint-file': { 'mcp-auth-challenge/client/refuse-unsafe-url': issuer() },
    'unsafe-endpoint-program': { 'mcp-auth-challenge/client/refuse-unsafe-url': issuer() },
    'unsafe-endpoint-begins-alike': { 'mcp-auth-challenge/client/refuse-unsafe-url': issuer() },
    'unsafe-endpoint-holds-https': { 'mcp-auth-challenge/client/refuse-unsafe-url': issuer() },
    'unsafe-endpoint-http': { 'mcp-auth-challenge/client/refuse-unsafe-url': issuer() },
    'pkce-not-advertised': { 'mcp-auth-challenge/client/verify-pkce-support': issuer() },
    'pkce-by-no-method': { 'mcp-auth-challenge/client/verify-pkce-support': issuer() },
    'issuer-unnamed': { 'mcp-auth-challenge/client/validate-metadata-issuer': issuer() },
    'pkce-not-advertised-by-openid': {
      'mcp-auth-challenge/client/verify-pkce-support': issuer(),
    },
    'certificate-of-impostor-at-metadata': {
      'oauth-client/verify-provider-certificate': {
        pass: {
          'the connection is closed': impostor().step('connection-unused', {}).window(),
        },
        violation: { 'it is asked': impostor().discovered() },
        inconclusive: {
          'the certificate is the right one': recording().asked().discovered().window(),
          'nobody connected': impostor().window(),
          'nobody watched': impostor().step('connection-unused', {}),
        },
      },
    },
    'redirected-server-metadata': {
      'mcp-auth-challenge/client/no-ssrf': {
        pass: {
          'nothing was fetched there': recording().asked().discovered().window(),
          'a flow began all the same': recording().asked().discovered().opened().window(),
        },
        violation: { 'it was followed': recording().asked().discovered().sentElsewhere() },
        inconclusive: {
          ...unchallenged(),
          'the metadata was not fetched': recording().asked().window(),
          'nobody watched': recording().asked().discovered(),
        },
      },
    },
    'insecure-token-endpoint': { 'mcp-auth-challenge/client/no-ssrf': inClear() },
  },
  options,
)
