// The mock provider as msw handlers: the code under test calls real host names, and no port is opened.
import assert from 'node:assert/strict'
import { setupServer } from 'msw/node'
import { createMockIssuers } from 'agent-oauth-conformance/mock-provider/msw'

const issuers = createMockIssuers({ answerFor: ['https://accounts.example', /\.login\.test$/] })
const server = setupServer(...issuers.handlers)
server.listen({ onUnhandledRequest: 'error' })

// two issuers that know nothing of each other, as a mix-up needs them
for (const issuer of ['https://accounts.example', 'https://evil.login.test']) {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`)
  const metadata = await response.json()
  assert.equal(metadata.issuer, issuer)
}

// what goes wrong is switched on from the test, where the code under test cannot see it
issuers.at('https://accounts.example').setFaults(['discovery-error-500'])
const broken = await fetch('https://accounts.example/.well-known/openid-configuration')
assert.equal(broken.status, 500)

console.log(issuers.at('https://accounts.example').events.map(({ type }) => type))
server.close()
