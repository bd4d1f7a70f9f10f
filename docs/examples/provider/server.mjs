// The mock provider as a server: a complete code flow over HTTP, by a client library of your choice.
import * as oauth from 'oauth4webapi'
import { serveMockProvider } from 'agent-oauth-conformance/mock-provider'

const redirectUri = 'https://app.example/callback'
const provider = await serveMockProvider({
  clients: [{ clientId: 'app', redirectUris: [redirectUri] }],
})

// plain HTTP is for tests on this machine
const options = { [oauth.allowInsecureRequests]: true }
const issuer = new URL(provider.issuer)
const discovery = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options })
const as = await oauth.processDiscoveryResponse(issuer, discovery)
const client = { client_id: 'app' }

const codeVerifier = oauth.generateRandomCodeVerifier()
const state = oauth.generateRandomState()
const url = new URL(as.authorization_endpoint)
url.search = new URLSearchParams({
  client_id: 'app',
  redirect_uri: redirectUri,
  response_type: 'code',
  scope: 'items:read',
  state,
  code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
  code_challenge_method: 'S256',
})

// the user agent and the user: a page asks, and a script decides
const page = await fetch(url, { redirect: 'manual' })
const decision = await fetch(`${page.headers.get('location')}/decision`, {
  method: 'POST',
  redirect: 'manual',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ action: 'approve', subject: 'alice' }),
})
const callback = new URL(decision.headers.get('location'))

const parameters = oauth.validateAuthResponse(as, client, callback, state)
const tokens = await oauth.processAuthorizationCodeResponse(
  as,
  client,
  await oauth.authorizationCodeGrantRequest(
    as,
    client,
    oauth.None(),
    parameters,
    redirectUri,
    codeVerifier,
    options,
  ),
)
const api = await fetch(`${provider.issuer}/resource/items`, {
  headers: { authorization: `Bearer ${tokens.access_token}` },
})
console.log(await api.json())
await provider.close()
