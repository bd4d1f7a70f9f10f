// A runtime that knows one conversation: the one in which somebody spoke last. Whatever a tool sends goes there.
import { createServer } from 'node:http'

const { PORT, PUBLIC_URL, TOOLSETS, MODEL_BASE_URL, MODEL_API_KEY } = process.env
const post = (url, body) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${MODEL_API_KEY}` },
    body: JSON.stringify(body),
  })
const endpoints = {}
const tools = []
for (const base of TOOLSETS.split(',')) {
  const toolset = await (await fetch(`${base}/.well-known/rap-toolset`)).json()
  for (const { name, description, inputSchema: parameters } of toolset.tools) {
    tools.push({ type: 'function', function: { name, description, parameters } })
    endpoints[name] = toolset.endpoint
  }
}

const messages = {}
const shown = {}
let current

async function think(conversation) {
  const request = { model: 'any', messages: messages[conversation], tools }
  const answer = await (await post(`${MODEL_BASE_URL}/chat/completions`, request)).json()
  const { message } = answer.choices[0]
  messages[conversation].push(message)
  if (message.content) (shown[conversation] ??= []).push(message.content)
  for (const { id, function: wanted } of message.tool_calls ?? []) {
    await post(endpoints[wanted.name], {
      operation: wanted.name,
      arguments: JSON.parse(wanted.arguments),
      id,
      callback_url: `${PUBLIC_URL}/callback`,
      group_id: conversation,
    })
  }
}

function take(message) {
  if (message.type === 'oauth') (shown[current] ??= []).push(message.auth_url)
  if (message.type !== 'tool_result') return
  messages[current].push({ role: 'user', content: `Tool said: ${message.text}` })
  return think(current)
}

createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  if (request.url.startsWith('/shown/')) {
    return response.end(JSON.stringify(shown[request.url.slice(7)] ?? []))
  }
  response.end('{}')
  try {
    const message = JSON.parse(body)
    if (request.url === '/callback') return await take(message)
    current = message.conversation
    ;(messages[current] ??= []).push({ role: 'user', content: message.text })
    await think(current)
  } catch (error) {
    console.error(error.message)
  }
}).listen(Number(PORT), '127.0.0.1')
