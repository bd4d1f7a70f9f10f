// What is no runtime: `mute` takes messages and does nothing, `no-tool` answers without the tool,
// `crash` invokes the tool and dies on an oauth message.
import { createServer } from 'node:http'

const [mode] = process.argv.slice(2)
const { PORT, PUBLIC_URL, TOOLSETS, MODEL_BASE_URL, MODEL_NAME } = process.env

async function ask(messages) {
  const [base] = TOOLSETS.split(',')
  const toolset = await (await fetch(`${base}/.well-known/rap-toolset`)).json()
  const tools = toolset.tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }))
  const answer = await fetch(`${MODEL_BASE_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL_NAME, messages, ...(mode === 'crash' ? { tools } : {}) }),
  })
  const { message } = (await answer.json()).choices[0]
  for (const call of message.tool_calls ?? []) {
    await fetch(toolset.endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        operation: call.function.name,
        arguments: JSON.parse(call.function.arguments),
        id: call.id,
        callback_url: `${PUBLIC_URL}/callback`,
        group_id: 'everything',
      }),
    })
  }
}

createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  if (request.url === '/callback' && body.includes('"oauth"')) process.exit(1)
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  if (request.url === '/message' && mode !== 'mute') {
    await ask([{ role: 'user', content: JSON.parse(body).text }]).catch(() => undefined)
  }
}).listen(Number(PORT), '127.0.0.1')
