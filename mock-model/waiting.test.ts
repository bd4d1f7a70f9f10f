import OpenAI from 'openai'
import { expect, test, vi } from 'vitest'
import { startScriptedModel } from './start-scripted-model.ts'
import { allOf, post, watchModel } from './testing.ts'

const ask = { model: 'gpt-x', messages: [{ role: 'user' as const, content: 'Hi' }] }

function clientOf(baseURL: string): OpenAI {
  return new OpenAI({ baseURL, apiKey: 'any', maxRetries: 0 })
}

test('holds until released, one exchange or all', async () => {
  const model = await watchModel(() => 'hold')
  const { completions } = clientOf(model.baseUrl).chat
  const answers = [1, 2, 3].map(() => completions.create(ask))
  await vi.waitFor(() => expect(model.held).toHaveLength(3))
  expect(model.responses).toHaveLength(0)
  const [first, second] = model.held
  model.release({ text: 'You first.' }, first)
  await vi.waitFor(() => expect(model.responses).toHaveLength(1))
  expect(model.responses[0]).toMatchObject({ exchange: first, text: 'You first.' })
  expect(model.held[0]).toBe(second)
  model.release({ toolCalls: [{ name: 'look', arguments: {} }] })
  const finished = await Promise.all(answers)
  expect(finished.map(({ choices }) => choices[0]?.finish_reason)).toEqual(
    expect.arrayContaining(['stop', 'tool_calls', 'tool_calls']),
  )
  expect(model.held).toEqual([])
})

test('can release with an error, and with nothing said', async () => {
  const model = await watchModel(() => 'hold')
  const { completions } = clientOf(model.baseUrl).chat
  const failing = completions.create(ask).catch((error: unknown) => error)
  await vi.waitFor(() => expect(model.held).toHaveLength(1))
  model.release({ error: 529, message: 'overloaded' })
  expect(await failing).toBeInstanceOf(OpenAI.InternalServerError)
  const silent = completions.create(ask)
  await vi.waitFor(() => expect(model.held).toHaveLength(1))
  model.release()
  expect((await silent).choices[0]?.message.content).toBe('')
})

test('delays an answer until a promise is fulfilled; release does not touch it', async () => {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => void (resolve = done))
  const model = await watchModel(() => ({ text: 'At last.', delayUntil: promise }))
  const answer = clientOf(model.baseUrl).chat.completions.create({ ...ask, stream: true })
  await vi.waitFor(() => expect(model.asked).toHaveLength(1))
  model.release({ text: 'Not this.' })
  expect(model.responses).toHaveLength(0)
  resolve()
  const chunks = await allOf(await answer)
  const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
  expect(text).toBe('At last.')
})

test('reports a runtime that gave up waiting', async () => {
  const model = await watchModel(() => 'hold')
  const controller = new AbortController()
  const asking = clientOf(model.baseUrl).chat.completions.create(ask, {
    signal: controller.signal,
  })
  asking.catch(() => {})
  await vi.waitFor(() => expect(model.held).toHaveLength(1))
  controller.abort()
  await expect(asking).rejects.toThrow(OpenAI.APIUserAbortError)
  await vi.waitFor(() => expect(model.events.at(-1)).toMatchObject({ code: 'aborted' }))
  expect(model.held).toEqual([])
})

test('ends when it is closed, whatever it holds', async () => {
  const model = await watchModel(() => 'hold')
  const asking = clientOf(model.baseUrl).chat.completions.create(ask)
  asking.catch(() => {})
  await vi.waitFor(() => expect(model.held).toHaveLength(1))
  await model.close()
  await expect(asking).rejects.toThrow(OpenAI.APIError)
  expect(model.events.at(-1)).toMatchObject({ type: 'failure', code: 'closed' })
  await model.close()
})

test.each([
  [
    'decide throws',
    () => {
      throw new Error('bad script')
    },
  ],
  ['the status is none of an error', () => ({ error: 200, message: 'fine' })],
  ['the delay fails', () => ({ delayUntil: Promise.reject(new Error('bad script')) })],
  ['the arguments are no JSON', () => ({ toolCalls: [{ name: 'a', arguments: { n: 1n } }] })],
])('says that the script failed when %s', async (_, decide) => {
  const model = await watchModel(decide, 'http://model.test')
  const answer = await post(model, '/v1/chat/completions', ask)
  expect(answer).toMatchObject({ status: 500, json: { error: { type: 'server_error' } } })
  expect(model.events.map(({ type }) => type)).toEqual(['request', 'failure', 'response'])
  expect(model.events[1]).toMatchObject({ code: 'script' })
})

test('in process it opens no port, and answers nothing once closed', async () => {
  const model = await startScriptedModel({
    origin: 'http://model.test',
    decide: () => ({ text: 'Hello.' }),
  })
  expect(model.baseUrl).toBe('http://model.test/v1')
  expect((await post(model, '/v1/responses', { model: 'm', input: 'Hi' })).status).toBe(200)
  await model.close()
  expect((await post(model, '/v1/responses', { model: 'm', input: 'Hi' })).status).toBe(503)
})
