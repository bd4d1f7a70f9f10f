import { describeExamples } from '../../../../testing.ts'
import { acceptsToken, challengeExamples, leadsToMetadata, servesNobody } from '../examples.ts'
import { bearer, endpoint, issuer, metadataUrl, options, origin, recording } from '../testing.ts'
import { challengedThenServed } from './challenged-then-served.ts'

const challenged = (value?: unknown, changes?: Record<string, unknown>) =>
  recording().deployed().call().challenged(value, changes)
const described = (changes: Record<string, unknown>) => challenged().metadata(changes)
const other = 'https://login.example'

const nothingFetched = {
  'nothing was fetched': challenged(),
  'it was not there': challenged().metadata({}, { status: 404 }),
  'it is no object': challenged().fetched(metadataUrl, '[]'),
}

describeExamples(
  [challengedThenServed],
  {
    'challenged-then-served': {
      ...challengeExamples(),
      'mcp-auth-challenge/server/no-error-code': {
        pass: { 'no error': challenged() },
        violation: { 'an error': challenged(`${bearer}, error="invalid_token"`) },
        inconclusive: {
          'no Bearer challenge': challenged('Basic realm="x"'),
          'no challenge': recording().call().http(401),
        },
      },
      'mcp-auth-challenge/server/metadata-url': leadsToMetadata(),
      'mcp-auth-challenge/server/metadata-valid': {
        pass: {
          'both members': described({}),
          'several servers': described({ authorization_servers: [other, issuer] }),
          'more members': described({ resource_name: 'Notes' }),
        },
        violation: {
          'no resource': described({ resource: undefined }),
          'a path as resource': described({ resource: '/mcp' }),
          'a fragment': described({ resource: `${endpoint}#x` }),
          'no servers': described({ authorization_servers: undefined }),
          'an empty list': described({ authorization_servers: [] }),
          'a server that is no URL': described({ authorization_servers: ['login'] }),
          'a string': described({ authorization_servers: issuer }),
        },
        inconclusive: nothingFetched,
      },
      'mcp-auth-challenge/server/metadata-covers-endpoint': {
        pass: {
          'the endpoint': described({}),
          'with a slash': described({ resource: `${endpoint}/` }),
          'the host': described({ resource: origin }),
          'the other name of the host': described({ resource: 'http://localhost:4100/mcp' }),
        },
        violation: {
          'another host': described({ resource: 'https://files.example/mcp' }),
          'another port': described({ resource: 'http://127.0.0.1:4101/mcp' }),
          'another path': described({ resource: `${endpoint}-v2` }),
          'what is below': described({ resource: `${endpoint}/notes` }),
        },
        inconclusive: { ...nothingFetched, 'no resource': described({ resource: 1 }) },
      },
      'mcp-auth-challenge/server/metadata-exact': {
        pass: {
          'the endpoint': described({}),
          'the other name of the host': described({ resource: 'http://localhost:4100/mcp' }),
        },
        violation: {
          'with a slash': described({ resource: `${endpoint}/` }),
          'the host': described({ resource: origin }),
        },
        inconclusive: { ...nothingFetched, 'another one': described({ resource: other }) },
      },
      'mcp-auth-challenge/server/chain-resolves': {
        pass: {
          'to the provider': described({}).server(),
          'the second of two': described({ authorization_servers: [other, issuer] }).server(),
          'named with a slash': described({ authorization_servers: [`${issuer}/`] }).server(),
          'at the second address': described({})
            .fetched(`${issuer}/.well-known/oauth-authorization-server`, '', { status: 404 })
            .fetched(`${issuer}/.well-known/openid-configuration`, { issuer }),
        },
        violation: {
          'nothing is there': described({})
            .fetched(`${issuer}/.well-known/oauth-authorization-server`, '', { status: 404 })
            .fetched(`${issuer}/.well-known/openid-configuration`, '', { status: 404 }),
          'what is there has another name': described({
            authorization_servers: [`${issuer}/x`],
          }).fetched(`${issuer}/.well-known/oauth-authorization-server/x`, { issuer }),
          'nobody listens there': described({ authorization_servers: [origin] }).unfetched(origin),
        },
        inconclusive: {
          ...nothingFetched,
          'no servers': described({ authorization_servers: [] }),
          'the provider of the run does not answer': described({}).unfetched(
            `${issuer}/.well-known/oauth-authorization-server`,
          ),
          'not followed': described({}),
          'a server that is not asked': described({ authorization_servers: [other] }).unfetched(
            other,
            'foreign',
          ),
          'another server, which is what it says': described({
            authorization_servers: [other],
          }).server(other),
        },
      },
      'mcp-auth-challenge/server/accept-token': acceptsToken(),
      'mcp-auth-challenge/server/enforce': servesNobody(),
    },
  },
  options,
)
