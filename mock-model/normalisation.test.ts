import { expect, test } from 'vitest'
import { post, watchModel } from './testing.ts'

const origin = 'http://model.test'

test('reads odd but real forms of chat completions', async () => {
  const model = await watchModel(() => ({ text: 'Hi' }), origin)
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }
  await post(model, '/openai/deployments/x/chat/completions', {
    model: 'm',
    unknown_field: { any: 'thing' },
    tools: [
      { type: 'function', function: { name: 'bare' } },
      { type: 'custom', custom: { name: 'free', description: 'takes text' } },
    ],
    messages: [
      { role: 'system', content: 'One.' },
      {
        role: 'user',
        content: [{ type: 'text', text: 'See' }, image, { type: 'text', text: 'it' }],
      },
      { role: 'assistant', content: null, refusal: null, tool_calls: null },
      {
        role: 'assistant',
        content: [{ type: 'refusal', refusal: 'No.' }],
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'bare', arguments: '{"x":' } },
          { id: 'b', type: 'function', function: { name: 'bare', arguments: '' } },
          { id: 'c', type: 'custom', custom: { name: 'free', input: 'words' } },
          { id: 'd', type: 'function', function: { name: 'bare', arguments: { x: 1 } } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'A' },
      { role: 'tool', tool_call_id: 'b', content: '' },
      { role: 'system', content: 'Two.' },
    ],
  })
  const [asked] = model.asked
  expect(asked?.images).toBe(1)
  expect(asked?.system).toBe('One.\n\nTwo.')
  expect(asked?.raw).toHaveProperty('unknown_field.any', 'thing')
  expect(asked?.tools).toEqual([{ name: 'bare' }, { name: 'free', description: 'takes text' }])
  expect(asked?.messages.slice(1)).toEqual([
    { role: 'user', text: 'See\nit' },
    { role: 'assistant', text: '' },
    {
      role: 'assistant',
      text: 'No.',
      toolCalls: [
        { id: 'a', name: 'bare', arguments: '{"x":' },
        { id: 'b', name: 'bare', arguments: '' },
        { id: 'c', name: 'free', arguments: 'words' },
        { id: 'd', name: 'bare', arguments: { x: 1 } },
      ],
    },
    {
      role: 'tool',
      text: 'A\n',
      toolResults: [
        { callId: 'a', text: 'A' },
        { callId: 'b', text: '' },
      ],
    },
    { role: 'system', text: 'Two.' },
  ])
})

test('reads odd but real forms of responses', async () => {
  const model = await watchModel(() => ({ text: 'Hi' }), origin)
  await post(model, '/responses', {
    model: 'm',
    tools: [{ type: 'web_search' }, { type: 'function', name: 'look', parameters: null }],
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_image', image_url: 'x' }] },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' },
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Well.', annotations: [] }],
      },
      { type: 'function_call', call_id: 'a', name: 'look', arguments: '{}' },
      { type: 'custom_tool_call', call_id: 'b', name: 'free', input: 'words' },
      { type: 'custom_tool_call_output', call_id: 'b', output: 'B' },
      { type: 'function_call_output', call_id: 'a', output: [{ type: 'input_text', text: 'A' }] },
    ],
  })
  const [asked] = model.asked
  expect(asked).toMatchObject({ images: 1, tools: [{ name: 'look' }] })
  expect(asked?.messages).toEqual([
    { role: 'user', text: '' },
    {
      role: 'assistant',
      text: 'Well.',
      toolCalls: [
        { id: 'a', name: 'look', arguments: {} },
        { id: 'b', name: 'free', arguments: 'words' },
      ],
    },
    {
      role: 'tool',
      text: 'B\nA',
      toolResults: [
        { callId: 'b', text: 'B' },
        { callId: 'a', text: 'A' },
      ],
    },
  ])
})

test('reads odd but real forms of messages', async () => {
  const model = await watchModel(() => ({ text: 'Hi' }), origin)
  await post(model, '/messages', {
    model: 'm',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'image', source: {} },
          { type: 'document', source: {} },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'x' },
          { type: 'tool_use', id: 'a', name: 'look', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a' }] },
      { role: 'assistant', content: [] },
      { role: 'user', content: [{ type: 'text', text: 'And?', cache_control: {} }] },
    ],
  })
  expect(model.asked[0]?.images).toBe(1)
  expect(model.asked[0]?.messages).toEqual([
    { role: 'user', text: '' },
    { role: 'assistant', text: '', toolCalls: [{ id: 'a', name: 'look', arguments: {} }] },
    { role: 'tool', text: '', toolResults: [{ callId: 'a', text: '' }] },
    { role: 'assistant', text: '' },
    { role: 'user', text: 'And?' },
  ])
})

test('reports every key that is presented, under whatever header', async () => {
  const model = await watchModel(() => ({ text: 'Hi' }), origin)
  const body = { model: 'm', input: 'Hi' }
  await post(model, '/responses', body, { authorization: 'Bearer key-1', 'api-key': 'key-2' })
  await post(model, '/responses', body, { authorization: 'Bearer key-1', 'x-api-key': 'key-1' })
  await post(model, '/responses', body)
  expect(model.requests.map(({ secrets }) => secrets.map(({ value }) => value))).toEqual([
    ['key-1', 'key-2'],
    ['key-1'],
    [],
  ])
})

test.each([
  ['/chat/completions', { messages: [{ role: 'user', content: 7 }] }, 'messages.0.content'],
  ['/chat/completions', { messages: [{ role: 'tool', content: 'x' }] }, 'messages.0.tool_call_id'],
  ['/responses', { input: [{ role: 'me', content: 'x' }] }, 'input.0.role'],
  ['/responses', { input: [{ type: 'function_call_output', output: 'x' }] }, 'input.0.call_id'],
  ['/messages', { messages: [{ role: 'user', content: [{ text: 'x' }] }] }, 'content.0.type'],
])('%s says what is wrong and where', async (path, body, where) => {
  const model = await watchModel(() => ({ text: 'Hi' }), origin)
  const answer = await post(model, path, { model: 'm', ...body })
  expect(answer.status).toBe(400)
  expect(answer.text).toContain(where)
})
