import Anthropic from '@anthropic-ai/sdk'
import { expect, test } from 'vitest'
import { repositoryArguments, repositorySchema, watchModel } from './testing.ts'

const tools: Anthropic.Tool[] = [
  { name: 'repositories', description: 'lists them', input_schema: repositorySchema },
]
const question = { role: 'user' as const, content: 'What is there?' }
const base = { model: 'claude-x', max_tokens: 100, tools }
const callTwice = {
  text: 'I look at both 🦊. '.repeat(4),
  toolCalls: [
    { name: 'repositories', arguments: repositoryArguments },
    { name: 'repositories', arguments: {} },
  ],
}

function clientOf(baseURL: string): Anthropic {
  return new Anthropic({ baseURL, apiKey: 'sk-ant-scripted-0123456789', maxRetries: 0 })
}

test('answers a tool loop that is not streamed', async () => {
  const model = await watchModel(({ messages }) =>
    messages.length > 1 ? { text: 'Two of them.' } : callTwice,
  )
  const { messages } = clientOf(model.origin)
  const first = await messages.create({ ...base, messages: [question] })
  const calls = first.content.filter((block) => block.type === 'tool_use')
  expect(first.stop_reason).toBe('tool_use')
  expect(first.content[0]).toMatchObject({ type: 'text', text: callTwice.text })
  expect(calls.map(({ input }) => input)).toEqual([repositoryArguments, {}])
  expect(model.responses[0]?.toolCalls.map(({ id }) => id)).toEqual(calls.map(({ id }) => id))
  const [one, two] = calls.map(({ id }) => id)
  if (!one || !two) throw new Error('two calls')

  const image = { type: 'base64' as const, media_type: 'image/png' as const, data: 'iVBORw0KGgo=' }
  const second = await messages.create({
    ...base,
    system: [
      { type: 'text', text: 'Be brief.' },
      { type: 'text', text: 'Be kind.' },
    ],
    messages: [
      question,
      { role: 'assistant', content: first.content },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: one, content: 'refused', is_error: true },
          {
            type: 'tool_result',
            tool_use_id: two,
            content: [
              { type: 'text', text: 'a' },
              { type: 'image', source: image },
              { type: 'text', text: 'b' },
            ],
          },
          { type: 'text', text: 'And now?' },
        ],
      },
    ],
  })
  expect(second.content).toMatchObject([{ type: 'text', text: 'Two of them.' }])
  expect(second.stop_reason).toBe('end_turn')
  const asked = model.asked[1]
  expect(asked).toMatchObject({ api: 'messages', system: 'Be brief.\nBe kind.', images: 1 })
  expect(asked?.messages).toEqual([
    { role: 'user', text: 'What is there?' },
    {
      role: 'assistant',
      text: callTwice.text,
      toolCalls: model.responses[0]?.toolCalls,
    },
    {
      role: 'tool',
      text: 'refused\na\nb',
      toolResults: [
        { callId: one, text: 'refused', isError: true },
        { callId: two, text: 'a\nb' },
      ],
    },
    { role: 'user', text: 'And now?' },
  ])
  expect(asked?.tools).toEqual([
    { name: 'repositories', description: 'lists them', schema: repositorySchema },
  ])
})

test('streams events that the accumulator puts together', async () => {
  const model = await watchModel(() => callTwice)
  const stream = clientOf(model.origin).messages.stream({ ...base, messages: [question] })
  const message = await stream.finalMessage()
  expect(await stream.finalText()).toBe(callTwice.text)
  expect(message.stop_reason).toBe('tool_use')
  expect(message.content.flatMap((block) => ('input' in block ? [block.input] : []))).toEqual([
    repositoryArguments,
    {},
  ])
  expect(message.usage.output_tokens).toBeGreaterThan(1)
  const names = [...(model.responses[0]?.body.text ?? '').matchAll(/^event: (.*)$/gm)]
  const types = names.map(([, name]) => name)
  expect(types.filter((type, index) => type !== types[index - 1])).toEqual([
    'message_start',
    'content_block_start',
    'ping',
    'content_block_delta',
    'content_block_stop',
    ...Array.from({ length: 2 }, () => [
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
    ]).flat(),
    'message_delta',
    'message_stop',
  ])
})

test('can say nothing', async () => {
  const model = await watchModel(() => ({}))
  const { messages } = clientOf(model.origin)
  const said = await messages.create({ ...base, messages: [question] })
  const streamed = await messages.stream({ ...base, messages: [question] }).finalMessage()
  expect([said.content, streamed.content]).toEqual([[], []])
  expect(streamed.stop_reason).toBe('end_turn')
})

test('works behind a base URL with /v1 and reports the key', async () => {
  const model = await watchModel(() => ({ text: 'Hello.' }))
  await clientOf(model.baseUrl).messages.create({ ...base, messages: [question] })
  expect(model.requests[0]).toMatchObject({
    url: `${model.baseUrl}/v1/messages`,
    secrets: [{ kind: 'model_api_key', value: 'sk-ant-scripted-0123456789' }],
  })
})

test('fails as the SDK expects', async () => {
  const statuses = [401, 429, 529]
  const model = await watchModel(() => ({ error: statuses.shift() ?? 400, message: 'no luck' }))
  const { messages } = clientOf(model.origin)
  const ask = () => messages.create({ ...base, messages: [question], stream: true })
  await expect(ask()).rejects.toThrow(Anthropic.AuthenticationError)
  await expect(ask()).rejects.toMatchObject({
    constructor: Anthropic.RateLimitError,
    type: 'rate_limit_error',
    apiMessage: 'no luck',
  })
  await expect(ask()).rejects.toMatchObject({
    name: 'OverloadedError',
    type: 'overloaded_error',
    requestID: expect.stringMatching(/^req_/) as string,
  })
  await expect(messages.create({ ...base, messages: [] })).rejects.toMatchObject({
    constructor: Anthropic.BadRequestError,
    type: 'invalid_request_error',
  })
})

test('lists models', async () => {
  const model = await watchModel(() => ({}))
  const { models } = clientOf(model.origin)
  expect((await models.list()).data[0]).toMatchObject({ id: 'scripted-model', type: 'model' })
  expect((await models.retrieve('claude-x')).display_name).toBe('claude-x')
})
