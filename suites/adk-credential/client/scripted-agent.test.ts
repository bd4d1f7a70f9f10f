import { expect, test } from 'vitest'
import { requestName, requestsIn } from '../wire.ts'
import { newAsk } from './script.ts'
import { keyOf, partsIn, ScriptedAgent, type Turn } from './scripted-agent.ts'

const provider = {
  authorizationEndpoint: 'https://p/a',
  tokenEndpoint: 'https://p/t',
  clientId: 'c',
}
const key = keyOf('helper', 'u', 's')
const words = { key, parts: [{ text: 'Please' }] }
const answerTo = (id: string, name = requestName, at = key) => ({
  key: at,
  parts: [{ functionResponse: { id, name, response: {} } }],
})

function paused(turn: Partial<Turn> = {}, many = 1) {
  const agent = new ScriptedAgent()
  agent.openSession('helper', 'u', 's')
  const asks = Array.from({ length: many }, (_, nth) => newAsk('call-1', nth, 'call', provider, {}))
  agent.plan({ call: 'call-1', asks, ...turn })
  const outcome = agent.take(words)
  return { agent, asks, outcome }
}

test('a message gets the next turn, and later ones an answer in words', () => {
  const { agent, asks, outcome } = paused()
  const events = 'events' in outcome ? outcome.events : []
  expect(events.flatMap(requestsIn).map(({ id, longRunning }) => [id, longRunning])).toEqual([
    [asks[0]!.id, true],
  ])
  expect(agent.take(words)).toMatchObject({ events: [{ content: { role: 'model' } }] })
})

test.each([
  ['another id', () => answerTo('x')],
  ['another name', (id: string) => answerTo(id, 'oauth')],
  ['another session', (id: string) => answerTo(id, requestName, keyOf('helper', 'u', 't'))],
])('an answer with %s brings nothing', (_, message) => {
  const { agent, asks } = paused()
  expect(agent.take(message(asks[0]!.id))).toEqual({ events: [] })
  expect(agent.take(answerTo(asks[0]!.id))).toMatchObject({ events: [{}, {}] })
})

test('a request is answered once, and the model speaks when all are', () => {
  const { agent, asks } = paused({}, 2)
  const [first, second] = asks.map(({ id }) => answerTo(id))
  const results = [first!, second!, second!].map((each) => {
    const outcome = agent.take(each)
    return 'events' in outcome ? outcome.events.length : 0
  })
  expect(results).toEqual([1, 2, 0])
})

test('a turn that fails can be answered again', () => {
  const { agent, asks } = paused({ fails: true })
  for (let attempt = 0; attempt < 2; attempt += 1)
    expect(agent.take(answerTo(asks[0]!.id))).toMatchObject({ status: 500 })
})

test('messages belong to the call that is next, or that asked', () => {
  const { agent, asks } = paused()
  agent.plan({ call: 'call-2', asks: [] })
  expect(agent.callOf(answerTo(asks[0]!.id))).toBe('call-1')
  expect(agent.callOf(words)).toBe('call-2')
})

test('a session has what was said in it, and what came of that, without parts of texts', () => {
  const chatty = newAsk('call-1', 0, 'call', provider, { chatty: true })
  const { agent, outcome } = paused({ asks: [chatty] })
  const whole = ('events' in outcome ? outcome.events : []).filter(({ partial }) => !partial)
  expect(agent.session(key)).toMatchObject({
    events: [{ author: 'user', content: { role: 'user', parts: words.parts } }, ...whole],
  })
  expect(agent.sessionsOf('helper', 'u')).toEqual([agent.session(key)])
})

test('parts are read from whatever was sent', () => {
  expect(partsIn({ new_message: { parts: [{ text: 'a' }] } })).toEqual([{ text: 'a' }])
  expect(partsIn({ newMessage: 7 })).toEqual([])
})
