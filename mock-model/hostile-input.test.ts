import fc from 'fast-check'
import { expect, test } from 'vitest'
import { modelLimits } from './limits.ts'
import { post, watchModel } from './testing.ts'

const gemini = '/v1beta/models/m:generateContent'
const paths = ['/v1/chat/completions', '/v1/responses', '/v1/messages', gemini]
const origin = 'http://model.test'

const anything = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<unknown>

/** Mostly what belongs there, so that some requests are understood; else anything at all. */
const mostly = (fitting: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 20, arbitrary: fitting }, { weight: 1, arbitrary: anything })

const role = mostly(
  fc.constantFrom('system', 'developer', 'user', 'user', 'assistant', 'tool', 'function'),
)
const type = mostly(
  fc.constantFrom(
    'message',
    'text',
    'image',
    'tool_use',
    'tool_result',
    'function_call',
    'function_call_output',
    'custom_tool_call',
    'item_reference',
    '__proto__',
  ),
)
const text = mostly(fc.string({ unit: 'binary' }))
const part = fc.record({ type, text, id: text, name: text, input: anything, tool_use_id: text })
const content = mostly(fc.oneof(text, fc.array(mostly(part), { maxLength: 3 })))
const call = fc.record({ name: text, arguments: fc.oneof(text, fc.json()) })
const message = fc.record(
  {
    role,
    type,
    content,
    name: text,
    id: text,
    call_id: text,
    output: content,
    tool_call_id: text,
    tool_calls: mostly(fc.array(fc.record({ id: text, function: call }), { maxLength: 2 })),
    function_call: mostly(call),
    arguments: text,
  },
  { requiredKeys: ['role', 'type', 'content', 'name', 'call_id', 'tool_call_id'] },
)
const messages = mostly(fc.array(mostly(message), { minLength: 1, maxLength: 3 }))
const body = fc.record(
  {
    model: mostly(fc.constant('m')),
    messages,
    input: messages,
    system: content,
    stream: mostly(fc.boolean()),
    store: anything,
    instructions: text,
    stream_options: anything,
    tools: mostly(fc.array(call, { maxLength: 2 })),
    functions: mostly(fc.constant([])),
    metadata: anything,
  },
  { requiredKeys: ['model', 'messages', 'input'] },
)

const named = fc.record({ name: text, id: text, args: anything, response: anything })
const geminiPart = fc.record(
  { text, functionCall: mostly(named), functionResponse: mostly(named), inlineData: anything },
  { requiredKeys: [] },
)
const contents = mostly(
  fc.array(
    fc.record({
      role: mostly(fc.constantFrom('user', 'model', 'tool')),
      parts: mostly(fc.array(geminiPart, { maxLength: 3 })),
    }),
    { minLength: 1, maxLength: 3 },
  ),
)
const geminiBody = fc.record(
  { contents, systemInstruction: text, tools: mostly(fc.constant([])) },
  { requiredKeys: ['contents'] },
)

/** A question in the terms of the API. */
const bodyOf = (path: string, question: string, extra: object = {}): object =>
  path === gemini
    ? { contents: [{ role: 'user', parts: [{ text: question }] }], ...extra }
    : { model: 'm', [keyOf(path)]: [{ role: 'user', content: question }], ...extra }
const keyOf = (path: string): string =>
  path === gemini ? 'contents' : path.endsWith('responses') ? 'input' : 'messages'

test.each(paths)(
  '%s answers any JSON, and never with a 500',
  async (path) => {
    const model = await watchModel(
      () => ({ text: 'Hi', toolCalls: [{ name: 'look', arguments: { a: 1 } }] }),
      origin,
    )
    const seen = new Map([200, 400, 404].map((status) => [status, 0]))
    await fc.assert(
      fc.asyncProperty(fc.oneof(path === gemini ? geminiBody : body, anything), async (sent) => {
        const { status } = await post(model, path, JSON.stringify(sent))
        expect([...seen.keys()]).toContain(status)
        seen.set(status, (seen.get(status) ?? 0) + 1)
      }),
      { numRuns: 800 },
    )
    // Reach: enough of them were understood, and enough were not.
    expect(seen.get(200)).toBeGreaterThan(50)
    expect(seen.get(400)).toBeGreaterThan(50)
    expect(model.events.every(({ type }) => type !== 'failure')).toBe(true)
  },
  120_000,
)

test.each(paths)('%s refuses in its own shape what is no JSON object', async (path) => {
  const model = await watchModel(() => ({}), origin)
  const shape = path.endsWith('messages')
    ? { type: 'error', error: { type: 'invalid_request_error' } }
    : path === gemini
      ? { error: { code: 400, status: 'INVALID_ARGUMENT' } }
      : { error: { type: 'invalid_request_error', code: null } }
  for (const wrong of ['', '{', '[]', 'null', '7', '"text"', '{"model":7}', '{} {}']) {
    const answer = await post(model, path, wrong)
    expect(answer).toMatchObject({ status: 400, json: shape })
  }
  expect(model.asked).toEqual([])
  expect(model.requests).toHaveLength(8)
})

test.each(paths)('%s takes deep and wide JSON without harm', async (path) => {
  const model = await watchModel(() => ({ text: 'Hi' }), origin)
  const key = keyOf(path)
  const bodyWith = (extra: string): string =>
    JSON.stringify(bodyOf(path, 'Hi', { metadata: 0 })).replace(
      '"metadata":0',
      `"metadata":${extra}`,
    )
  const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
  expect((await post(model, path, bodyWith(deep(200)))).status).toBe(200)
  expect((await post(model, path, bodyWith(deep(1_000_000)))).status).toBe(400)
  expect((await post(model, path, `{"model":"m","${key}":${deep(1000)}}`)).status).toBe(400)
  const wide = Array.from({ length: modelLimits.values - 10 }, () => 0)
  expect((await post(model, path, { model: 'm', [key]: wide })).status).toBe(400)
  expect((await post(model, path, { model: 'm', [key]: [...wide, ...wide] })).status).toBe(400)
})

test('arguments that are too deep stay the text that they are', async () => {
  const model = await watchModel(() => ({ text: 'Hi' }), origin)
  const deep = '['.repeat(1000) + ']'.repeat(1000)
  const call = { type: 'function_call', call_id: 'c', name: 'look', arguments: deep }
  await post(model, '/responses', { model: 'm', input: [call] })
  expect(model.asked[0]?.messages[0]?.toolCalls?.[0]?.arguments).toBe(deep)
})

test.each(paths)('%s takes 8 MiB and refuses more, over a socket too', async (path) => {
  const model = await watchModel(() => ({ text: 'Hi' }))
  const bodyWith = (bytes: number): string => {
    const empty = JSON.stringify(bodyOf(path, ''))
    return JSON.stringify(bodyOf(path, 'a'.repeat(bytes - empty.length)))
  }
  const ask = (sent: string): Promise<Response> =>
    fetch(model.origin + path, { method: 'POST', body: sent })
  expect((await ask(bodyWith(modelLimits.body))).status).toBe(200)
  const refused = await ask(bodyWith(modelLimits.body + 1))
  expect(refused.status).toBe(413)
  expect(await refused.json()).toMatchObject({ error: { message: /8388608/ } })
  expect(model.requests[1]?.body).toMatchObject({ truncated: true })
  expect(model.asked).toHaveLength(1)
})

test('reports what is for no API, and answers it', async () => {
  const model = await watchModel(() => ({}), origin)
  expect((await post(model, '/v1/embeddings', {})).json).toMatchObject({ error: { param: null } })
  const anthropic = { 'anthropic-version': '2023-06-01' }
  expect((await post(model, '/v1/messages/count_tokens', {}, anthropic)).json).toMatchObject({
    type: 'error',
    error: { type: 'not_found_error' },
  })
  expect((await post(model, '/v1/models', {})).status).toBe(405)
  const got = await model.fetch(new Request(`${origin}/v1/responses`))
  expect(got.status).toBe(405)
  expect(model.events.map(({ type }) => type)).toEqual(
    Array.from({ length: 4 }, () => ['request', 'response']).flat(),
  )
})

test('refuses bytes that are no UTF-8, and marks them', async () => {
  const model = await watchModel(() => ({}), origin)
  const sent = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
  const request = new Request(`${origin}/v1/responses`, { method: 'POST', body: sent })
  expect((await model.fetch(request)).status).toBe(400)
  expect(model.requests[0]?.body).toMatchObject({ bytes: 7, invalidUtf8: true })
})
