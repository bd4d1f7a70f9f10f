// Agents behind ADK's REST API that do nothing, or nothing more than pause: `node server.mjs KIND`, PORT in the environment.
import { createServer } from 'node:http'
import { randomUUID } from 'node:crypto'

const [, , kind] = process.argv
const { PORT, AUTHORIZATION_ENDPOINT, OAUTH_CLIENT_ID, REDIRECT_URI, MODEL_URL } = process.env

const text = (role, words) => ({ author: 'helper', content: { role, parts: [{ text: words }] } })

/** Asks the model, so that it has called the tool. */
async function called(message) {
  const declaration = { name: 'list_items', description: 'lists them' }
  const answer = await fetch(`${MODEL_URL}/v1beta/models/m:generateContent`, {
    method: 'POST',
    body: JSON.stringify({
      contents: [{ role: 'user', parts: message.parts.filter((part) => part.text) }],
      tools: [{ functionDeclarations: [declaration] }],
    }),
  })
  const { candidates } = await answer.json()
  return candidates[0].content.parts.some((part) => part.functionCall)
}

function pause() {
  const [call, request, state] = [randomUUID(), randomUUID(), randomUUID() + randomUUID()]
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: OAUTH_CLIENT_ID,
    redirect_uri: REDIRECT_URI,
    scope: 'items:read',
    state,
  })
  const oauth2 = { clientId: OAUTH_CLIENT_ID }
  const authConfig = {
    authScheme: { type: 'oauth2', flows: {} },
    rawAuthCredential: { authType: 'oauth2', oauth2 },
    exchangedAuthCredential: {
      authType: 'oauth2',
      oauth2: { ...oauth2, authUri: `${AUTHORIZATION_ENDPOINT}?${query}`, state },
    },
  }
  const args = { functionCallId: call, authConfig }
  const asking = { functionCall: { id: request, name: 'adk_request_credential', args } }
  const calling = { functionCall: { id: call, name: 'list_items', args: {} } }
  return [
    { author: 'helper', content: { role: 'model', parts: [calling] } },
    { author: 'helper', content: { role: 'user', parts: [asking] }, longRunningToolIds: [request] },
  ]
}

async function run(body) {
  if (kind === 'error') return [500, 'Internal Server Error']
  if (kind === 'text') return [200, [text('model', 'I cannot do that.')]]
  const message = JSON.parse(body).newMessage
  if (!message.parts.some((part) => part.text)) return [200, []]
  return [200, (await called(message)) ? pause() : [text('model', 'Noted.')]]
}

createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', async () => {
    const [status, answer] =
      request.url === '/list-apps'
        ? [200, ['nothing']]
        : request.url === '/run'
          ? await run(body)
          : [200, { id: 's', state: {}, events: [] }]
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer))
  })
}).listen(Number(PORT), '127.0.0.1')
