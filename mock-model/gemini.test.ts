import { expect, test } from 'vitest'
import { post, repositoryArguments, repositorySchema, watchModel } from './testing.ts'

const origin = 'http://model.test'
const path = '/v1beta/models/gemini-x:generateContent'
const streaming = '/v1beta/models/gemini-x:streamGenerateContent?alt=sse'
const question = { role: 'user', parts: [{ text: 'What is there?' }] }
const tools = [
  {
    functionDeclarations: [
      { name: 'repositories', description: 'lists them', parametersJsonSchema: repositorySchema },
      { name: 'look', parameters: { type: 'OBJECT' } },
    ],
  },
]
const callTwice = {
  text: 'I look at both 🦊. '.repeat(4),
  toolCalls: [
    { name: 'repositories', arguments: repositoryArguments },
    { name: 'repositories', arguments: {} },
  ],
}

interface Part {
  readonly text?: string
  readonly functionCall?: { readonly id: string; readonly name: string; readonly args: unknown }
}
interface Answer {
  readonly candidates: { content: { role: string; parts: Part[] }; finishReason?: string }[]
  readonly usageMetadata: { readonly totalTokenCount: number }
}

const partsOf = ({ candidates }: Answer): Part[] => candidates[0]?.content.parts ?? []

test('answers a tool loop that is not streamed', async () => {
  const model = await watchModel(
    ({ messages }) => (messages.length > 1 ? { text: 'Two of them.' } : callTwice),
    origin,
  )
  const first = (await post(model, path, { contents: [question], tools })).json as Answer
  const calls = partsOf(first).flatMap(({ functionCall }) => functionCall ?? [])
  expect(first.candidates[0]).toMatchObject({ finishReason: 'STOP', content: { role: 'model' } })
  expect(partsOf(first)[0]).toEqual({ text: callTwice.text })
  expect(calls.map(({ args }) => args)).toEqual([repositoryArguments, {}])
  const [one, two] = model.responses[0]?.toolCalls.map(({ id }) => id) ?? []
  expect(calls.map(({ id }) => id)).toEqual([one, two])
  expect(one).not.toBe(two)
  expect(first.usageMetadata.totalTokenCount).toBeGreaterThan(1)

  const second = await post(model, path, {
    systemInstruction: { parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] },
    contents: [
      question,
      { role: 'model', parts: partsOf(first) },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: one, name: 'repositories', response: { result: 'a' } } },
          { functionResponse: { id: two, name: 'repositories', response: { error: 'refused' } } },
          { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
          { text: 'And now?' },
        ],
      },
    ],
    tools,
  })
  expect(partsOf(second.json as Answer)).toEqual([{ text: 'Two of them.' }])
  const asked = model.asked[1]
  expect(asked).toMatchObject({
    api: 'generate-content',
    stream: false,
    model: 'gemini-x',
    system: 'Be brief.\nBe kind.',
    images: 1,
  })
  expect(asked?.messages).toEqual([
    { role: 'user', text: 'What is there?' },
    { role: 'assistant', text: callTwice.text, toolCalls: model.responses[0]?.toolCalls },
    {
      role: 'tool',
      text: '{"result":"a"}\n{"error":"refused"}',
      toolResults: [
        { callId: one, text: '{"result":"a"}' },
        { callId: two, text: '{"error":"refused"}' },
      ],
    },
    { role: 'user', text: 'And now?' },
  ])
  expect(asked?.tools).toEqual([
    { name: 'repositories', description: 'lists them', schema: repositorySchema },
    { name: 'look', schema: { type: 'OBJECT' } },
  ])
})

test('streams responses: text in pieces, calls whole, the reason last', async () => {
  const model = await watchModel(() => callTwice, origin)
  const { text } = await post(model, streaming, { contents: [question], tools })
  const frames = [...text.matchAll(/^data: (.*)$/gm)].map(
    ([, data]) => JSON.parse(data ?? '') as Answer,
  )
  const parts = frames.flatMap(partsOf)
  expect(parts.flatMap((part) => part.text ?? []).join('')).toBe(callTwice.text)
  expect(parts.flatMap(({ functionCall }) => functionCall?.args ?? [])).toEqual([
    repositoryArguments,
    {},
  ])
  const reasons = frames.map(({ candidates }) => candidates[0]?.finishReason)
  expect(reasons.length).toBeGreaterThan(2)
  expect(reasons.filter((reason) => reason !== undefined)).toEqual(['STOP'])
  expect(reasons.at(-1)).toBe('STOP')
  expect(model.asked[0]?.stream).toBe(true)
})

test('can say nothing', async () => {
  const model = await watchModel(() => ({}), origin)
  const said = await post(model, path, { contents: [question] })
  expect(partsOf(said.json as Answer)).toEqual([])
  const streamed = await post(model, streaming, { contents: [question] })
  expect(streamed.text).toContain('"finishReason":"STOP"')
})

test('gives ids by position to what has none', async () => {
  const model = await watchModel(() => ({ text: 'Hi' }), origin)
  const call = (args?: unknown) => ({ functionCall: { name: 'look', ...(args ? { args } : {}) } })
  const result = (value: string) => ({
    functionResponse: { name: 'look', response: { result: value } },
  })
  await post(model, path, {
    systemInstruction: 'Be brief.',
    contents: [
      { parts: [{ text: 'Hi' }] },
      { role: 'model', parts: [{ text: 'hm', thought: true }, call({ at: 1 }), call()] },
      { role: 'function', parts: [result('a'), result('b')] },
      { role: 'model', parts: [] },
      { role: 'user' },
    ],
  })
  expect(model.asked[0]?.system).toBe('Be brief.')
  expect(model.asked[0]?.messages).toEqual([
    { role: 'user', text: 'Hi' },
    {
      role: 'assistant',
      text: '',
      toolCalls: [
        { id: 'position-0-look', name: 'look', arguments: { at: 1 } },
        { id: 'position-1-look', name: 'look', arguments: {} },
      ],
    },
    {
      role: 'tool',
      text: '{"result":"a"}\n{"result":"b"}',
      toolResults: [
        { callId: 'position-0-look', text: '{"result":"a"}' },
        { callId: 'position-1-look', text: '{"result":"b"}' },
      ],
    },
    { role: 'assistant', text: '' },
    { role: 'user', text: '' },
  ])
})

test('fails in the shape of Google, reports the key, and lists models', async () => {
  const model = await watchModel(() => ({ error: 429, message: 'no luck' }), origin)
  const key = { 'x-goog-api-key': 'AIza-scripted-0123456789' }
  expect((await post(model, path, { contents: [question] }, key)).json).toEqual({
    error: { code: 429, message: 'no luck', status: 'RESOURCE_EXHAUSTED' },
  })
  expect(model.requests[0]?.secrets).toEqual([
    { kind: 'model_api_key', value: 'AIza-scripted-0123456789' },
  ])
  expect((await post(model, path, { contents: [] })).json).toMatchObject({
    error: { code: 400, status: 'INVALID_ARGUMENT' },
  })
  const get = async (at: string): Promise<unknown> =>
    (await model.fetch(new Request(origin + at, { headers: key }))).json()
  expect(await get('/v1beta/models')).toMatchObject({ models: [{ name: 'models/scripted-model' }] })
  expect(await get('/v1beta/models/gemini-x')).toMatchObject({ name: 'models/gemini-x' })
})
