/** The provider as it is installed, as strict as it is by default. */
import type * as MockProvider from '../../mock-provider/index.ts'
import { packaged } from '../packaged.ts'
import { client, report } from '../serve.ts'

const library = packaged('mock-provider/index.js')
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the package is made of these modules
const { serveMockProvider } = (await import(library.href)) as typeof MockProvider

const provider = await serveMockProvider({
  autoApprove: { subject: 'alice' },
  // as the others sign: each access token and each ID token, by ES256
  accessTokenFormat: 'jwt',
  idTokenSigningAlg: 'ES256',
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
report({
  discovery: `${issuer}/.well-known/openid-configuration`,
  jwks: `${issuer}/jwks`,
  authorize: `${issuer}/authorize`,
  token: `${issuer}/token`,
})
