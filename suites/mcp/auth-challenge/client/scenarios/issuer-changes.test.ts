import { describeExamples } from '../../../../testing.ts'
import { options, recording, sighting } from '../testing.ts'
import { issuerChanged } from '../vocabulary.ts'
import { issuerChanges } from './issuer-changes.ts'

const other = 'https://127.0.0.1:4500'
const changed = () => recording().complete().mark(issuerChanged, { issuer: other })
const challenged = () => changed().begin().attemptWithToken().challenged()

describeExamples(
  [issuerChanges],
  {
    'issuer-changes': {
      'mcp-auth-challenge/client/tokens-to-own-issuer': {
        pass: {
          'a flow of its own': challenged()
            .metadata()
            .asksProvider(`${other}/.well-known/oauth-authorization-server`)
            .opened()
            .window(),
          'nothing goes there': challenged().metadata().window(),
          'the first one is asked once more': challenged()
            .metadata()
            .discovered(sighting('refresh_token', 'body.text'))
            .window(),
        },
        violation: {
          'a refresh token': challenged()
            .metadata()
            .asksProvider(`${other}/token`, sighting('refresh_token', 'body.text')),
          'an access token': challenged()
            .metadata()
            .asksProvider(`${other}/register`, sighting('access_token')),
        },
        inconclusive: {
          'nothing was issued': recording().asked().mark(issuerChanged, { issuer: other }),
          'nothing has changed': recording().complete(),
          'the metadata was not fetched again': challenged().window(),
          'the next call was not challenged': changed()
            .begin()
            .attemptWithToken()
            .served()
            .metadata()
            .window(),
          'nobody watched': challenged().metadata(),
        },
      },
    },
  },
  options,
)
