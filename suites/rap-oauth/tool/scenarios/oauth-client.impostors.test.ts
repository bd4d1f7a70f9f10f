import { describeChecks, recording, type Recording } from '../testing.ts'
import { impostorAtApi, impostorAtRefresh, impostorScenarios } from './oauth-client.ts'

const [unknownAuthority, anotherName] = impostorScenarios

const impostor = (t: Recording): Recording => t.step('impostor')
const unused = (t: Recording): Recording => t.step('connection-unused')
const asked = () => impostor(recording().asked()).callback()
const code = {
  id: 'authorization_code-1',
  kind: 'authorization_code',
  at: 'body',
  encoding: 'plain',
}
const token = { id: 'access_token-1', kind: 'access_token', at: 'headers', encoding: 'plain' }
const refreshToken = { ...code, id: 'refresh_token-1', kind: 'refresh_token' }
const later = () => impostor(recording().completed()).invoke()

const cases = {
  'oauth-client/verify-provider-certificate': {
    pass: {
      'it connects and leaves': unused(asked()).result('Error: no').window(),
      'it tries again and leaves': unused(unused(asked())).result('Error: no').window(),
      'it stays pending': unused(asked()).gaveUp().window(),
    },
    violation: {
      'the code is sent': asked().upstream('/token', 200, code).grant().result(),
      'after a first connection that was unused': unused(asked())
        .upstream('/token', 400, code)
        .result('Error: no')
        .window(),
      'to another path': asked().upstream('/login/oauth/access_token', 200, code).result(),
    },
    inconclusive: {
      'no connection at all': asked().result('Error: no').window(),
      'nobody watched': unused(asked()).result('Error: no'),
      'nothing but before': unused(recording().asked()).callback().window(),
      'the metadata is read': asked().upstream('/.well-known/x').result('Error: no').window(),
    },
  },
}

describeChecks(unknownAuthority!, cases)
describeChecks(anotherName!, cases)
describeChecks(impostorAtRefresh, {
  'oauth-client/verify-provider-certificate': {
    pass: { 'it connects and leaves': unused(later()).result('Error: no').window() },
    violation: {
      'the refresh token is sent': later().upstream('/token', 200, refreshToken).result().window(),
      'only the secret of the client is sent': later()
        .upstream('/token', 400, { ...code, id: 'client_secret-1', kind: 'client_secret' })
        .result('Error: no')
        .window(),
    },
    inconclusive: {
      'it asks its user': later().oauth().window(),
      'the token goes to the API': later().upstream('/resource/items', 401, token).window(),
      'nobody watched': unused(later()).result('Error: no'),
    },
  },
})
describeChecks(impostorAtApi, {
  'oauth-client/verify-api-certificate': {
    pass: { 'it connects and leaves': unused(later()).result('Error: no').window() },
    violation: {
      'the token is sent': later().upstream('/resource/items', 200, token).result().window(),
    },
    inconclusive: {
      'it asks its user': later().oauth().window(),
      'nobody watched': unused(later()).result('Error: no'),
    },
  },
})
