// A runtime the way RAP's minimal example works: POST /message, POST /callback, history in memory,
// a hosted model. It has never heard of oauth messages.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import OpenAI from 'openai'

const { PORT, PUBLIC_URL, TOOLSETS, MODEL_BASE_URL, MODEL_API_KEY, MODEL_NAME } = process.env
const model = new OpenAI({ baseURL: MODEL_BASE_URL, apiKey: MODEL_API_KEY })

const endpoints = new Map()
const tools = []
for (const base of TOOLSETS.split(',')) {
  const toolset = await (await fetch(`${base}/.well-known/rap-toolset`)).json()
  for (const { name, description, inputSchema } of toolset.tools) {
    endpoints.set(name, toolset.endpoint)
    tools.push({ type: 'function', function: { name, description, parameters: inputSchema } })
  }
}

const threads = new Map()
const replies = new Map()

function history(id) {
  if (!threads.has(id)) threads.set(id, [])
  return threads.get(id)
}

// One message of a thread after the other.
const turns = new Map()
function inTurn(id, work) {
  const turn = (turns.get(id) ?? Promise.resolve()).catch(() => undefined).then(work)
  turns.set(id, turn)
  return turn
}

async function think(id) {
  const messages = history(id)
  const completion = await model.chat.completions.create({ model: MODEL_NAME, messages, tools })
  const [{ message }] = completion.choices
  messages.push(message)
  if (message.content) replies.set(id, [...(replies.get(id) ?? []), message.content])
  for (const call of message.tool_calls ?? []) {
    await fetch(endpoints.get(call.function.name), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        operation: call.function.name,
        arguments: JSON.parse(call.function.arguments),
        id: call.id,
        callback_url: `${PUBLIC_URL}/callback`,
        group_id: id,
        user_id: null,
      }),
    })
  }
}

async function handle(request, body) {
  if (request.url === '/message') {
    const { conversation, text } = JSON.parse(body)
    await inTurn(conversation, () => {
      history(conversation).push({ role: 'user', content: text })
      return think(conversation)
    })
    return {}
  }
  if (request.url === '/callback') {
    const message = JSON.parse(body)
    const content = message.text ?? JSON.stringify(message.content ?? null)
    const result = { role: 'tool', tool_call_id: message.id ?? randomUUID(), content }
    await inTurn(message.group_id, () => {
      history(message.group_id).push(result)
      return think(message.group_id)
    })
    return {}
  }
  if (request.url.startsWith('/replies/')) return replies.get(request.url.split('/')[2]) ?? []
  return {}
}

createServer(async (request, response) => {
  try {
    let body = ''
    for await (const chunk of request) body += chunk
    const answer = await handle(request, body)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  } catch (error) {
    console.error(error.message)
    response.writeHead(500).end()
  }
}).listen(Number(PORT), '127.0.0.1')
