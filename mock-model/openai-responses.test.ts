import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { allOf, repositoryArguments, repositorySchema, watchModel } from './testing.ts'
import { responseEvents, responseOf } from './write-responses.ts'

const tools: OpenAI.Responses.Tool[] = [
  { type: 'function', name: 'repositories', parameters: repositorySchema, strict: true },
]
const callRepositories = {
  toolCalls: [{ name: 'repositories', arguments: repositoryArguments }],
}
const done = { text: 'Two of them 🦊. '.repeat(4) }

function clientOf(baseURL: string): OpenAI {
  return new OpenAI({ baseURL, apiKey: 'sk-scripted-0123456789abcdef', maxRetries: 0 })
}

function callIn(response: OpenAI.Responses.Response): OpenAI.Responses.ResponseFunctionToolCall {
  const call = response.output.find((item) => item.type === 'function_call')
  if (!call) throw new Error('no call')
  return call
}

test('answers a tool loop whose history the runtime keeps', async () => {
  const model = await watchModel(({ messages }) =>
    messages.at(-1)?.role === 'tool' ? done : callRepositories,
  )
  const { responses } = clientOf(model.baseUrl)
  const input: OpenAI.Responses.ResponseInput = [
    { role: 'developer', content: 'Be kind.' },
    { role: 'user', content: [{ type: 'input_text', text: 'What is there?' }] },
  ]
  const first = await responses.create({ model: 'gpt-x', instructions: 'Be brief.', input, tools })
  const call = callIn(first)
  expect(first.status).toBe('completed')
  expect(first.tools).toEqual(tools)
  expect(JSON.parse(call.arguments)).toEqual(repositoryArguments)
  expect(model.responses[0]?.toolCalls[0]?.id).toBe(call.call_id)

  const output = { type: 'function_call_output' as const, call_id: call.call_id, output: 'a, b' }
  const second = await responses.create({ model: 'gpt-x', input: [...input, call, output], tools })
  expect(second.output_text).toBe(done.text)
  expect(second.usage?.total_tokens).toBeGreaterThan(0)
  expect(model.asked[0]?.system).toBe('Be brief.\n\nBe kind.')
  expect(model.asked[1]?.messages).toEqual([
    { role: 'system', text: 'Be kind.' },
    { role: 'user', text: 'What is there?' },
    {
      role: 'assistant',
      text: '',
      toolCalls: [{ id: call.call_id, name: 'repositories', arguments: repositoryArguments }],
    },
    { role: 'tool', text: 'a, b', toolResults: [{ callId: call.call_id, text: 'a, b' }] },
  ])
})

test('calls a tool of a namespace, and says which', async () => {
  const model = await watchModel(() => callRepositories)
  const { responses } = clientOf(model.baseUrl)
  const namespace: unknown = {
    type: 'namespace',
    name: 'forge',
    description: 'What the forge offers.',
    tools: [...tools, { type: 'function', name: 'issues', parameters: {} }],
  }
  const offered = [namespace, { type: 'namespace', name: 'empty' }] as OpenAI.Responses.Tool[]
  const call = callIn(await responses.create({ model: 'gpt-x', input: 'Hi', tools: offered }))
  expect(call).toMatchObject({ name: 'repositories', namespace: 'forge' })
  expect(model.asked[0]?.tools.map(({ name, namespace: of }) => [name, of])).toEqual([
    ['repositories', 'forge'],
    ['issues', 'forge'],
  ])
})

test('streams typed events that the accumulator puts together', async () => {
  const model = await watchModel(() => ({ ...done, ...callRepositories }))
  const stream = clientOf(model.baseUrl).responses.stream({ model: 'gpt-x', input: 'Hi', tools })
  const events = await allOf(stream)
  const response = await stream.finalResponse()
  expect(response.output_text).toBe(done.text)
  expect(JSON.parse(callIn(response).arguments)).toEqual(repositoryArguments)
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual([...events.keys()])
  const types = events.map(({ type }) => type)
  expect(types.filter((type, index) => type !== types[index - 1])).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.output_item.added',
    'response.function_call_arguments.delta',
    'response.function_call_arguments.done',
    'response.output_item.done',
    'response.completed',
  ])
})

test('reads the whole conversation of a runtime that relies on previous_response_id', async () => {
  const model = await watchModel(({ messages }) =>
    messages.at(-1)?.role === 'tool' ? done : { text: 'I look.', ...callRepositories },
  )
  const { responses } = clientOf(model.baseUrl)
  const first = await responses.create({ model: 'gpt-x', instructions: 'Old.', input: 'Hi', tools })
  const { call_id } = callIn(first)
  const second = await responses.create({
    model: 'gpt-x',
    previous_response_id: first.id,
    instructions: 'New.',
    input: [{ type: 'function_call_output', call_id, output: [{ type: 'input_text', text: 'a' }] }],
  })
  expect(second.previous_response_id).toBe(first.id)
  await responses.create({ model: 'gpt-x', previous_response_id: second.id, input: 'Thanks' })
  expect(model.asked[1]?.system).toBe('New.')
  expect(model.asked[2]?.messages).toEqual([
    { role: 'user', text: 'Hi' },
    {
      role: 'assistant',
      text: 'I look.',
      toolCalls: [{ id: call_id, name: 'repositories', arguments: repositoryArguments }],
    },
    { role: 'tool', text: 'a', toolResults: [{ callId: call_id, text: 'a' }] },
    { role: 'assistant', text: done.text },
    { role: 'user', text: 'Thanks' },
  ])
  expect(model.asked[1]?.messages).toHaveLength(3)
})

test('resolves item references', async () => {
  const model = await watchModel(() => ({ text: 'I look.', ...callRepositories }))
  const { responses } = clientOf(model.baseUrl)
  const first = await responses.create({ model: 'gpt-x', input: 'Hi', tools })
  const { call_id } = callIn(first)
  const references = first.output.map(({ id }) => ({
    type: 'item_reference' as const,
    id: id ?? '',
  }))
  await responses.create({
    model: 'gpt-x',
    input: [
      { role: 'user', content: 'Hi' },
      ...references,
      { type: 'function_call_output', call_id, output: 'a' },
    ],
  })
  expect(model.asked[1]?.messages.slice(1)).toEqual([
    {
      role: 'assistant',
      text: 'I look.',
      toolCalls: [{ id: call_id, name: 'repositories', arguments: repositoryArguments }],
    },
    { role: 'tool', text: 'a', toolResults: [{ callId: call_id, text: 'a' }] },
  ])
})

test('knows nothing of what was not to be stored', async () => {
  const model = await watchModel(() => done)
  const { responses } = clientOf(model.origin)
  const { id, output } = await responses.create({ model: 'gpt-x', input: 'Hi', store: false })
  await expect(
    responses.create({ model: 'gpt-x', input: 'Hi', previous_response_id: id }),
  ).rejects.toMatchObject({
    constructor: OpenAI.BadRequestError,
    code: 'previous_response_not_found',
  })
  const input = [{ type: 'item_reference' as const, id: output[0]?.id ?? '' }]
  await expect(responses.create({ model: 'gpt-x', input })).rejects.toThrow(OpenAI.NotFoundError)
  expect(model.asked).toHaveLength(1)
})

test('fails as the SDK expects, also where a stream was asked for', async () => {
  const model = await watchModel(() => ({ error: 503, message: 'overloaded' }))
  const { responses } = clientOf(model.baseUrl)
  const asked = responses.create({ model: 'gpt-x', input: 'Hi', stream: true })
  await expect(asked).rejects.toMatchObject({ status: 503, message: '503 overloaded' })
})

test('is what the SDK declares', async () => {
  const model = await watchModel(() => ({}))
  const { id } = await clientOf(model.baseUrl).responses.create({ model: 'gpt-x', input: 'Hi' })
  expect(id).toMatch(/^resp_[0-9a-f]{48}$/)
  // Types only: `output_text` is the SDK's own, `usage` is null until the response is complete.
  type Declared = Omit<OpenAI.Responses.Response, 'output_text' | 'usage'>
  type Sent = Omit<ReturnType<typeof responseOf>, 'usage'>
  const asDeclared = (response: Sent): Declared => response
  type Event = Exclude<ReturnType<typeof responseEvents>[number], { response: unknown }>
  const eventAsDeclared = (event: Event): OpenAI.Responses.ResponseStreamEvent => event
  expect([asDeclared, eventAsDeclared]).toHaveLength(2)
})
