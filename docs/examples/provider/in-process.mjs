// The mock provider without a port: `app.request()` in a unit test, with a fault and a moved clock.
import assert from 'node:assert/strict'
import { createMockProvider } from 'agent-oauth-conformance/mock-provider'

const provider = createMockProvider({
  issuer: 'https://provider.test',
  clients: [
    {
      clientId: 'web',
      clientSecret: 'of-the-test',
      redirectUris: ['https://app.example/callback'],
      pkce: 'optional',
    },
  ],
  autoApprove: { subject: 'alice' },
})

const query = new URLSearchParams({ client_id: 'web', response_type: 'code', scope: 'items:read' })
const authorized = await provider.app.request(`/authorize?${query}`)
const code = new URL(authorized.headers.get('location')).searchParams.get('code')

const token = () =>
  provider.app.request('/token', {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('web:of-the-test')}` },
    body: new URLSearchParams({ grant_type: 'authorization_code', code }),
  })

provider.setFaults([{ fault: 'token-error-503', times: 1 }], 'client:web')
assert.equal((await token()).status, 503)

const { access_token: accessToken, expires_in: lifetime } = await (await token()).json()
const items = () =>
  provider.app.request('/resource/items', { headers: { authorization: `Bearer ${accessToken}` } })
assert.equal((await items()).status, 200)

provider.clock.advance(lifetime * 1000)
assert.equal((await items()).status, 401)

// a code that comes twice was stolen (RFC 6749 §4.1.2)
assert.equal((await token()).status, 400)
console.log(
  provider.events.flatMap(({ type, endpoint, status }) =>
    type === 'response' ? [`${endpoint} ${status}`] : [],
  ),
)
