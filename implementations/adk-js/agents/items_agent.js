/** An agent of ADK for JavaScript whose tools need OAuth authorization, configured by its environment. */

import { FunctionTool, LlmAgent } from '@google/adk'

const {
  AUTHORIZATION_ENDPOINT: authorizationUrl,
  TOKEN_ENDPOINT: tokenUrl,
  OAUTH_CLIENT_ID: clientId,
  OAUTH_CLIENT_SECRET: clientSecret,
  REDIRECT_URI: redirectUri,
  RESOURCE_URL: resource,
} = process.env

/** What the users have allowed: the package keeps a credential for one invocation alone. */
const kept = new Map()

function authConfig(credentialKey, scope) {
  return {
    credentialKey,
    authScheme: {
      type: 'oauth2',
      flows: { authorizationCode: { authorizationUrl, tokenUrl, scopes: { [scope]: scope } } },
    },
    rawAuthCredential: { authType: 'oauth2', oauth2: { clientId, clientSecret, redirectUri } },
  }
}

/** What the API says to a call with a token; what it says beside the items is of no use to a model. */
async function ask(token, init) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  try {
    const signal = AbortSignal.timeout(10_000)
    const answer = await fetch(`${resource}/items`, { ...init, headers, signal })
    if (!answer.ok) return { status: answer.status, error: `the API answered ${answer.status}` }
    const { items, id } = await answer.json()
    return items === undefined ? { id } : { titles: items.map(({ title }) => title) }
  } catch {
    return { error: 'the API did not answer' }
  }
}

/** A tool that asks for a credential as the package has it, and calls the API with it. */
function protectedTool({ name, scope, parameters, request }) {
  const config = authConfig(name, scope)
  async function execute(input, context) {
    const place = `${context.invocationContext.session.userId}/${name}`
    const given = context.getAuthResponse(config)?.oauth2
    if (given?.accessToken) kept.set(place, given)
    const { accessToken, expiresAt = Infinity } = kept.get(place) ?? {}
    if (accessToken && expiresAt > Date.now()) {
      const answer = await ask(accessToken, request(input))
      // A token that the API refuses is asked for again, but not one that has only just been given.
      if (answer.status !== 401 || given?.accessToken) return answer
    }
    kept.delete(place)
    context.requestCredential(config)
    return { status: 'Pending User Authorization.' }
  }
  const description = 'Looks after the items of the user.'
  return new FunctionTool({ name, description, parameters, execute })
}

export const rootAgent = new LlmAgent({
  name: 'items_agent',
  model: 'gemini-2.5-flash',
  instruction: 'You look after the items of your user.',
  tools: [
    protectedTool({ name: 'list_items', scope: 'items:read', request: () => ({}) }),
    protectedTool({
      name: 'add_item',
      scope: 'items:write',
      parameters: { type: 'OBJECT', properties: { title: { type: 'STRING' } } },
      request: ({ title }) => ({ method: 'POST', body: JSON.stringify({ title }) }),
    }),
    new FunctionTool({
      name: 'tell_time',
      description: 'Tells the time.',
      execute: () => ({ time: 'noon' }),
    }),
  ],
})
