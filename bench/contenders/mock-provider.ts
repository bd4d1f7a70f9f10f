/** The provider of this package, as strict as it is by default. */
import { serveMockProvider } from '../../mock-provider/provider/serve.ts'
import { client, report } from '../serve.ts'

const provider = await serveMockProvider({
  autoApprove: { subject: 'alice' },
  clients: [
    {
      clientId: client.id,
      clientSecret: client.secret,
      redirectUris: [client.redirectUri],
      grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
    },
  ],
})
const { issuer } = provider
const longerThanAnything = 365 * 24 * 3600 * 1000
report(
  {
    discovery: `${issuer}/.well-known/openid-configuration`,
    jwks: `${issuer}/jwks`,
    authorize: `${issuer}/authorize`,
    token: `${issuer}/token`,
  },
  () => {
    provider.clock.advance(longerThanAnything)
    return true
  },
)
