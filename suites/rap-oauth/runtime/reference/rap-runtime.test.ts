import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { createWorld, type World } from './fixtures/world.ts'

let world: World

beforeEach(() => {
  world = createWorld()
})
afterEach(() => world.end())

const url = 'https://auth.example/authorize?a=1&b=%20%2F+x&redirect_uri=https%3A%2F%2Ft%2F#frag'
const done = (text: string) => world.asked(text)
const toolMessages = (messages: readonly { readonly role: string }[]) =>
  messages.filter((each) => each.role === 'tool')

describe('invocation', () => {
  test('carries every field, and the token is not in the database', async () => {
    world.start({ toolHeaders: { 'x-key': 'k' } })
    const [call] = await world.invoke('c1', { id: 'tc', arguments: '{"a":1}' })
    if (!call) throw new Error('no call')
    expect(call).toMatchObject({
      operation: 'list_items',
      arguments: { a: 1 },
      id: expect.stringMatching(/^call_[\w-]{36}$/),
      call_id: 'tc',
      callback_url: expect.stringMatching(/^http:\/\/runtime\.example\/callbacks\/[\w-]{43}$/),
      group_id: 'c1',
      user_id: 'alice',
    })
    expect(call.headers).toMatchObject({ 'content-type': 'application/json', 'x-key': 'k' })
    expect(world.disk()).not.toContain(call.callback_url.split('/').at(-1))
    const [request] = world.model.requests.all
    expect(request?.authorization).toBe('Bearer key')
    expect(request?.tools?.map((tool) => tool.function.name)).toEqual(['list_items', 'send_mail'])
    expect(await world.events('c1')).toMatchObject([
      { type: 'tool_status', status: 'started', requires_auth: 'auth.example' },
    ])
  })

  test('is not repeated after a 4xx; the model gets an error result', async () => {
    world.tool.acknowledgements.push(403)
    world.start()
    await world.invoke()
    const { messages } = await done('status 403')
    expect(messages.at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'tc-c1' })
    expect(world.tool.invocations.all).toHaveLength(1)
  })

  test('is repeated with growing delays and the same ids, then given up', async () => {
    world.tool.acknowledgements.push(503, 'unreachable', 500, 502, 500)
    world.start()
    await world.invoke()
    await done('Error: The tool "list_items" could not be called')
    const attempts = world.tool.invocations.all
    expect(attempts).toHaveLength(5)
    expect(new Set(attempts.map(({ id, callback_url }) => id + callback_url)).size).toBe(1)
    const delays = attempts.slice(1).map((each, i) => each.at - (attempts[i]?.at ?? 0))
    expect(delays).toEqual(delays.toSorted((a, b) => a - b))
  })

  test('is not repeated after a callback, whatever the acknowledgement', async () => {
    let acknowledge = (_status: number) => {}
    world.tool.acknowledgements.push(new Promise((resolve) => (acknowledge = resolve)))
    world.start()
    const [call] = await world.invoke()
    if (!call) throw new Error('no call')
    expect(await world.oauth(call, url)).toBe(200)
    acknowledge(500)
    expect(await world.result(call, 'late')).toBe(200)
    await done('late')
    expect(world.tool.invocations.all).toHaveLength(1)
  })

  test('is not made for an unknown tool or broken arguments', async () => {
    world.start()
    const calls = [
      { id: 'tc1', name: 'nothing' },
      { id: 'tc2', arguments: '[' },
    ]
    world.model.script.push({ calls })
    await world.say('c1', 'hello')
    const { messages } = await done('Error: The arguments must be')
    expect(toolMessages(messages)).toHaveLength(2)
    expect(world.tool.invocations.all).toEqual([])
  })
})

describe('authorization', () => {
  test('the link is shown as it is, once, and the call stays pending', async () => {
    world.start()
    const [call] = await world.invoke()
    if (!call) throw new Error('no call')
    expect(await world.oauth(call, url)).toBe(200)
    expect(await world.oauth(call, url)).toBe(200)
    expect(await world.links('c1')).toEqual([url])
    expect(await world.links('c2')).toEqual([])
    const other = 'https://auth.example/ü?second=1'
    expect(await world.oauth(call, other)).toBe(200)
    expect(await world.links('c1')).toEqual([other])

    await world.say('c1', 'how long?')
    const { messages } = await done('how long?')
    expect(toolMessages(messages)).toEqual([])
    expect(messages.map(({ role }) => role)).toEqual(['user', 'system', 'user'])
    expect(messages[1]?.content).toMatch(/waits for the user's authorization/)
    expect(JSON.stringify(world.model.requests.all)).not.toContain('auth.example')

    expect(await world.result(call, 'three items')).toBe(200)
    const completed = await done('three items')
    expect(completed.messages.map(({ role }) => role)).toEqual([
      'user',
      'user',
      'assistant',
      'assistant',
      'tool',
    ])
    expect(world.tool.invocations.all).toHaveLength(1)
  })

  test('of the link nothing is left after the call', async () => {
    world.start()
    const secret = 'k'.repeat(3000)
    const [call] = await world.invoke()
    if (!call) throw new Error('no call')
    await world.oauth(call, `https://auth.example/?state=${secret}`)
    await world.oauth(call, `https://auth.example/?again&state=${secret}`)
    expect(world.disk()).toContain('kkkk')
    await world.result(call, 'done')
    await done('done')
    expect(world.disk()).not.toContain('kkkk')
    expect(await world.links('c1')).toEqual([])
    expect(JSON.stringify([world.logs.all, world.model.requests.all])).not.toContain('kkkk')
  })

  test('a link that is not usable is announced once, not shown', async () => {
    world.start()
    const [call] = await world.invoke()
    if (!call) throw new Error('no call')
    expect(await world.oauth(call, 'http://auth.example/')).toBe(400)
    expect(await world.oauth(call, 'javascript:alert(1)')).toBe(400)
    const events = await world.events('c1')
    expect(events.map(({ type }) => type)).toEqual(['tool_status', 'notice'])
    expect(await world.oauth(call, url)).toBe(200)
    expect(await world.links('c1')).toEqual([url])
  })

  test('pending calls survive a restart', async () => {
    world.start()
    const [call] = await world.invoke()
    if (!call) throw new Error('no call')
    await world.oauth(call, url)
    await world.stop()
    world.start()
    expect(await world.links('c1')).toEqual([url])
    expect(await world.oauth(call, url)).toBe(200)
    expect(await world.result(call, 'late')).toBe(200)
    expect(toolMessages((await done('late')).messages)).toHaveLength(1)
    expect(world.tool.invocations.all).toHaveLength(1)
  })
})

describe('results', () => {
  test('content instead of text; display_as is for nobody', async () => {
    world.start()
    const [call] = await world.invoke()
    if (!call) throw new Error('no call')
    const content = [
      { type: 'text', text: 'a' },
      { type: 'image', data: 'AAAA', mediaType: 'image/png' },
      { type: 'text', text: 'b' },
    ]
    const body = { type: 'tool_result', content, display_as: 'pretty', extra: 1 }
    expect(await world.callBack(call, body)).toBe(200)
    const { messages } = await done('a\n[image: image/png]\nb')
    expect(JSON.stringify(messages)).not.toContain('pretty')
  })

  test('repetitions change nothing, other results are refused', async () => {
    world.start()
    const [call] = await world.invoke()
    if (!call) throw new Error('no call')
    expect(await world.result(call, 'one')).toBe(200)
    expect(await world.result(call, 'one')).toBe(200)
    await done('one')
    expect(await world.result(call, 'one')).toBe(200)
    expect(await world.result(call, 'two')).toBe(409)
    expect(await world.oauth(call, url)).toBe(409)
    await world.say('c1', 'and now?')
    const { messages } = await done('and now?')
    expect(toolMessages(messages)).toEqual([
      { role: 'tool', tool_call_id: 'tc-c1', content: 'one' },
    ])
    expect(world.model.requests.all).toHaveLength(3)
    expect(await world.links('c1')).toEqual([])
  })

  test.each([
    ['a foreign group', { group_id: 'c2' }, 404],
    ['a foreign id', { id: 'call_x' }, 404],
    ['a foreign call_id', { call_id: 'other' }, 404],
    ['no group', { group_id: undefined }, 400],
    ['an id of another type', { id: 7 }, 400],
    ['a text of another type', { text: ['x'] }, 400],
    ['neither text nor content', { text: undefined }, 400],
    ['an unknown type', { type: 'user_choice' }, 400],
  ])('a message with %s is discarded', async (_name, fields, status) => {
    world.start()
    const [call] = await world.invoke()
    if (!call) throw new Error('no call')
    const forged = { type: 'tool_result', text: 'forged', auth_url: 'https://evil.example/' }
    expect(await world.callBack(call, { ...forged, ...fields })).toBe(status)
    const oauth = { ...forged, type: 'oauth', text: undefined }
    if (!('text' in fields))
      expect(await world.callBack(call, { ...oauth, ...fields })).toBe(status)
    expect(await world.result(call, 'true')).toBe(200)
    const { messages } = await done('true')
    expect(JSON.stringify([messages, world.logs.all, await world.events('c1')])).not.toMatch(
      /forged|evil/,
    )
  })

  test('nobody speaks for another call with the URL of one', async () => {
    world.start()
    const [first] = await world.invoke('c1')
    const [second] = await world.invoke('c2')
    if (!first || !second) throw new Error('no call')
    const crossed = { ...second, callback_url: first.callback_url }
    expect(await world.result(crossed, 'crossed')).toBe(404)
    expect((await world.post('/callbacks/guess', {})).status).toBe(400)
    expect(await world.result({ ...first, callback_url: 'http://r/callbacks/guess' }, 'x')).toBe(
      404,
    )
    expect(await world.result(second, 'second')).toBe(200)
    expect(JSON.stringify((await done('second')).messages)).not.toContain('crossed')
  })

  test('large bodies and other content types are refused', async () => {
    world.start()
    const [call] = await world.invoke()
    if (!call) throw new Error('no call')
    expect(await world.result(call, 'x'.repeat(2 ** 20))).toBe(413)
    const path = new URL(call.callback_url).pathname
    expect((await world.request(path, { method: 'POST', body: '{}' })).status).toBe(415)
  })
})

describe('conversations', () => {
  test('the model goes on when all calls of a turn have their results', async () => {
    world.start()
    const [a, b] = await world.invoke('c1', { id: 'a' }, { id: 'b' })
    if (!a || !b) throw new Error('no call')
    await world.oauth(b, url)
    await world.result(a, 'result-a')
    await world.say('c1', 'still there?')
    const between = (await done('still there?')).messages
    expect(between.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'system', 'user'])
    await world.result(b, 'result-b')
    const { messages } = await done('result-b')
    expect(toolMessages(messages)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'result-a' },
      { role: 'tool', tool_call_id: 'b', content: 'result-b' },
    ])
    expect(world.model.requests.all).toHaveLength(3)
  })

  test('are served side by side, each of them serially', async () => {
    let release = (_line: string) => {}
    world.start()
    world.model.script.push(new Promise((resolve) => (release = resolve)))
    await world.say('c1', 'first')
    await done('first')
    await world.say('c1', 'second')
    await world.say('c2', 'other')
    await done('other')
    expect(world.model.requests.all).toHaveLength(2)
    release('answer to first')
    const { messages } = await done('second')
    expect(messages.map(({ content }) => content)).toEqual(['first', 'answer to first', 'second'])
  })

  test('ten calls at once get their own results', async () => {
    world.start()
    const conversations = Array.from({ length: 10 }, (_, i) => `c${i}`)
    const calls = (await Promise.all(conversations.map((each) => world.invoke(each)))).flat()
    await Promise.all(calls.map((call) => world.oauth(call, `${url}${call.group_id}`)))
    for (const call of calls.toReversed()) await world.result(call, `for ${call.group_id}.`)
    for (let i = 0; i < 10; i += 1) {
      const { messages } = await done(`for c${i}.`)
      expect(messages[0]?.content).toBe(`list for c${i}`)
    }
  })

  test('a result that comes while the model speaks is told next', async () => {
    let release = (_line: string) => {}
    world.start()
    const [call] = await world.invoke()
    if (!call) throw new Error('no call')
    world.model.script.push(new Promise((resolve) => (release = resolve)))
    await world.say('c1', 'meanwhile')
    await done('meanwhile')
    await world.result(call, 'came in')
    release('answer')
    const { messages } = await done('came in')
    expect(messages.map(({ role }) => role)).toEqual([
      'user',
      'user',
      'assistant',
      'assistant',
      'tool',
    ])
  })

  test('a cancelled call is closed, its late result discarded', async () => {
    world.start()
    const [call] = await world.invoke()
    if (!call) throw new Error('no call')
    await world.oauth(call, url)
    const answer = await world.post('/conversations/c1/cancel', {})
    expect(await answer.json()).toEqual({ cancelled: 1 })
    const notified = await world.tool.cancellations.next('cancellation', () => true)
    expect(notified).toEqual({ thread_id: 'c1', tool_call_id: call.id })
    expect(await world.result(call, 'too late')).toBe(409)
    expect(world.disk()).not.toContain('auth.example/authorize')
    await world.say('c1', 'next')
    const { messages } = await done('next')
    expect(toolMessages(messages)).toMatchObject([{ content: expect.stringMatching(/^Error: /) }])
    expect(world.model.requests.all).toHaveLength(2)
  })

  test('a call ends at its timeout, also one from before a restart', async () => {
    world.start()
    const [call] = await world.invoke()
    if (!call) throw new Error('no call')
    await world.logs.next('acknowledgement', ({ event }) => event === 'call-acknowledged')
    await world.stop()
    world.start({ callTimeoutMs: 10 })
    await done('Error: The tool did not deliver a result in time.')
    expect(await world.result(call, 'too late')).toBe(409)
  })

  test('a call whose fate a restart left open is reported, not repeated', async () => {
    world.tool.acknowledgements.push(new Promise(() => {}))
    world.start()
    const [call] = await world.invoke()
    if (!call) throw new Error('no call')
    await world.stop()
    world.start()
    await done('Error: The runtime was restarted')
    expect(world.tool.invocations.all).toHaveLength(1)
  })

  test('a message whose answer a restart cut short is answered', async () => {
    world.model.script.push(new Promise(() => {}))
    world.start()
    await world.say('c1', 'hello')
    await done('hello')
    await world.stop()
    world.start()
    await world.model.requests.next('second request', () => world.model.requests.all.length === 2)
  })

  test('a model that fails is tried again, then the user is told', async () => {
    world.start()
    world.model.script.push({ status: 503 }, 'here I am', { status: 401 })
    await world.say('c1', 'one')
    await world.say('c1', 'two')
    await world.logs.next('failure', ({ event }) => event === 'model-failed')
    expect((await world.events('c1')).map(({ type }) => type)).toEqual(['assistant_text', 'error'])
  })

  test('a model that only calls tools is stopped', async () => {
    world.start()
    world.model.script.push(
      ...Array.from({ length: 60 }, (_, i) => ({ calls: [{ id: `t${i}`, name: 'nothing' }] })),
    )
    await world.say('c1', 'go')
    const stream = await world.request('/conversations/c1/stream')
    expect(await readUntil(stream, '"type":"error"')).toContain('it only called tools')
    expect(world.model.requests.all).toHaveLength(50)
  })
})

describe('what users are shown', () => {
  test('as a stream: what was, then what comes', async () => {
    world.start()
    const [call] = await world.invoke()
    if (!call) throw new Error('no call')
    const stream = await world.request('/conversations/c1/stream')
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    await world.oauth(call, url)
    const text = await readUntil(stream, 'authorization_required')
    expect(text).toContain('"status":"started"')
    expect(text).toContain(JSON.stringify(url))
    const [, shown] = await world.events('c1')
    expect(await world.events('c1', shown?.seq)).toEqual([])
  })

  test.each([
    ['no text', '/conversations/c1/messages', '{}', 400],
    ['not JSON', '/conversations/c1/messages', '{', 400],
    ['an odd conversation id', '/conversations/%00/messages', '{"text":"x"}', 400],
  ])('refuses a message with %s', async (_name, path, body, status) => {
    world.start()
    const headers = { 'content-type': 'application/json' }
    expect((await world.request(path, { method: 'POST', headers, body })).status).toBe(status)
  })
})

describe('toolsets', () => {
  test('are fetched once; an invalid one is refused as a whole', async () => {
    world.otherTool.toolset = { ...world.otherTool.toolset, endpoint: 'mailto:x' }
    world.start()
    await world.say('c1', 'one')
    await done('one')
    await world.say('c1', 'two')
    const { tools } = await done('two')
    expect(tools?.map((tool) => tool.function.name)).toEqual(['list_items'])
    expect(world.tool.discoveries).toBe(1)
  })
})

async function readUntil(response: Response, end: string): Promise<string> {
  if (response.body === null) throw new Error('no body')
  let text = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (text.includes(end)) return text
  }
  throw new Error(`stream ended before ${end}`)
}
