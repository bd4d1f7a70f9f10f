import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { createIds } from './ids.ts'
import { allOf, repositoryArguments, repositorySchema, watchModel } from './testing.ts'
import { chatChunks, chatCompletion } from './write-chat-completions.ts'
import type { Writing } from './writing.ts'

const tools: OpenAI.ChatCompletionTool[] = [
  {
    type: 'function',
    function: { name: 'repositories', description: 'lists them', parameters: repositorySchema },
  },
]
const question = { role: 'user' as const, content: 'What is there?' }
const callRepositories = {
  toolCalls: [{ name: 'repositories', arguments: repositoryArguments }],
}

function clientOf(baseURL: string): OpenAI {
  return new OpenAI({ baseURL, apiKey: 'sk-scripted-0123456789abcdef', maxRetries: 0 })
}

test('answers a tool loop that is not streamed', async () => {
  const model = await watchModel(({ messages }) =>
    messages.at(-1)?.role === 'tool' ? { text: 'Two of them.' } : callRepositories,
  )
  const { completions } = clientOf(model.baseUrl).chat
  const first = await completions.create({ model: 'gpt-x', messages: [question], tools })
  const choice = first.choices[0]
  const call = choice?.message.tool_calls?.[0]
  expect(first.object).toBe('chat.completion')
  expect(choice?.finish_reason).toBe('tool_calls')
  expect(choice?.message.content).toBeNull()
  if (!choice || call?.type !== 'function') throw new Error('no call')
  expect(JSON.parse(call.function.arguments)).toEqual(repositoryArguments)
  expect(model.responses[0]?.toolCalls).toEqual([
    { id: call.id, name: 'repositories', arguments: repositoryArguments },
  ])

  const second = await completions.create({
    model: 'gpt-x',
    tools,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] },
      question,
      choice.message,
      { role: 'tool', tool_call_id: call.id, content: [{ type: 'text', text: 'a, b' }] },
    ],
  })
  expect(second.choices[0]?.message.content).toBe('Two of them.')
  expect(second.choices[0]?.finish_reason).toBe('stop')
  const asked = model.asked[1]
  expect(asked).toMatchObject({
    api: 'chat-completions',
    stream: false,
    model: 'gpt-x',
    system: 'Be brief.\n\nBe kind.',
  })
  expect(asked?.messages.slice(2)).toEqual([
    { role: 'user', text: 'What is there?' },
    {
      role: 'assistant',
      text: '',
      toolCalls: [{ id: call.id, name: 'repositories', arguments: repositoryArguments }],
    },
    { role: 'tool', text: 'a, b', toolResults: [{ callId: call.id, text: 'a, b' }] },
  ])
  expect(asked?.tools).toEqual([
    { name: 'repositories', description: 'lists them', schema: repositorySchema },
  ])
})

test('streams text and parallel calls that the accumulator puts together', async () => {
  const model = await watchModel(() => ({
    text: 'I look at both 🦊. '.repeat(5),
    toolCalls: [...callRepositories.toolCalls, { name: 'repositories', arguments: {} }],
  }))
  const stream = clientOf(model.baseUrl).chat.completions.stream({
    model: 'gpt-x',
    messages: [question],
    tools,
    stream_options: { include_usage: true },
  })
  const completion = await stream.finalChatCompletion()
  const { message, finish_reason } = completion.choices[0] ?? {}
  expect(message?.content).toBe('I look at both 🦊. '.repeat(5))
  expect(finish_reason).toBe('tool_calls')
  expect(message?.tool_calls?.map((call) => JSON.parse(call.function.arguments))).toEqual([
    repositoryArguments,
    {},
  ])
  const ids = message?.tool_calls?.map(({ id }) => id)
  expect(new Set(ids).size).toBe(2)
  expect(model.responses[0]?.toolCalls.map(({ id }) => id)).toEqual(ids)
  expect(completion.usage?.total_tokens).toBeGreaterThan(0)
  expect(model.responses[0]?.body.text).toMatch(/data: \[DONE\]\n\n$/)
  expect(model.asked[0]?.stream).toBe(true)
})

test('gives usage only where it was asked for', async () => {
  const model = await watchModel(() => ({ text: 'Hello.' }))
  const chunks = await allOf(
    await clientOf(model.origin).chat.completions.create({
      model: 'gpt-x',
      messages: [question],
      stream: true,
    }),
  )
  expect(chunks.every((chunk) => !('usage' in chunk) && chunk.choices.length === 1)).toBe(true)
  expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '', refusal: null })
  expect(chunks.at(-1)?.choices[0]).toMatchObject({ delta: {}, finish_reason: 'stop' })
})

test('speaks the legacy functions form to who offers it', async () => {
  const model = await watchModel(() => callRepositories)
  const { completions } = clientOf(model.baseUrl).chat
  const functions = [{ name: 'repositories', parameters: repositorySchema }]
  const first = await completions.create({ model: 'gpt-x', messages: [question], functions })
  const message = first.choices[0]?.message
  expect(first.choices[0]?.finish_reason).toBe('function_call')
  expect(message?.tool_calls).toBeUndefined()
  const streamed = await completions
    .stream({ model: 'gpt-x', messages: [question], functions })
    .finalChatCompletion()
  expect(streamed.choices[0]?.message.function_call).toEqual(message?.function_call)

  if (!message) throw new Error('no message')
  const answer = { role: 'function' as const, name: 'repositories', content: 'a, b' }
  const messages = [question, message, answer]
  await completions.create({ model: 'gpt-x', messages, functions })
  const issued = model.responses[0]?.toolCalls[0]?.id
  expect(model.asked[2]?.messages.at(-1)?.toolResults).toEqual([{ callId: issued, text: 'a, b' }])
  expect(model.asked[2]?.messages.at(-2)?.toolCalls?.[0]?.id).toBe(issued)
  expect(model.responses[2]?.toolCalls[0]?.id).not.toBe(issued)
})

test('fails as the SDK expects', async () => {
  const statuses = [401, 429, 500, 404]
  const model = await watchModel(() => ({ error: statuses.shift() ?? 400, message: 'no luck' }))
  const { completions } = clientOf(model.baseUrl).chat
  const ask = () => completions.create({ model: 'gpt-x', messages: [question], stream: true })
  await expect(ask()).rejects.toThrow(OpenAI.AuthenticationError)
  await expect(ask()).rejects.toMatchObject({
    constructor: OpenAI.RateLimitError,
    code: 'rate_limit_exceeded',
    message: '429 no luck',
  })
  await expect(ask()).rejects.toMatchObject({
    constructor: OpenAI.InternalServerError,
    type: 'server_error',
    requestID: expect.stringMatching(/^req_/) as string,
  })
  await expect(ask()).rejects.toThrow(OpenAI.NotFoundError)
  await expect(
    completions.create({ model: 'gpt-x', messages: [] as OpenAI.ChatCompletionMessageParam[] }),
  ).rejects.toMatchObject({ constructor: OpenAI.BadRequestError, param: 'messages' })
})

test('lists models', async () => {
  const model = await watchModel(() => ({}))
  const { models } = clientOf(model.baseUrl)
  expect((await models.list()).data[0]?.id).toBe('scripted-model')
  expect((await models.retrieve('org/any model')).id).toBe('org/any model')
})

test('is what the SDK declares', () => {
  const writing: Writing = {
    request: {
      exchange: 'model-1',
      api: 'chat-completions',
      stream: true,
      model: 'gpt-x',
      messages: [],
      tools: [],
      images: 0,
      raw: {},
      headers: {},
    },
    text: undefined,
    toolCalls: [],
    ids: createIds((size) => new Uint8Array(size)),
    now: 1,
    tokens: { input: 1, output: 1 },
  }
  const completion: OpenAI.ChatCompletion = chatCompletion(writing)
  const chunks: OpenAI.ChatCompletionChunk[] = chatChunks(writing)
  expect(completion.choices[0]?.message.content).toBe('')
  expect(chunks).toHaveLength(2)
})
