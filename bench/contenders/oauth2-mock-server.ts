/** oauth2-mock-server: lenient, and everybody is approved. */
import { OAuth2Server } from 'oauth2-mock-server'
import { report } from '../serve.ts'

const server = new OAuth2Server()
await server.issuer.keys.generate('ES256')
await server.start(0, '127.0.0.1')
const { port } = server.address()
const issuer = `http://127.0.0.1:${port}`
report({
  discovery: `${issuer}/.well-known/openid-configuration`,
  jwks: `${issuer}/jwks`,
  authorize: `${issuer}/authorize`,
  token: `${issuer}/token`,
})
