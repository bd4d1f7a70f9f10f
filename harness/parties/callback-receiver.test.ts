import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { messageLimit, startCallbackReceiver, type CallbackReceiver } from './callback-receiver.ts'
import { senderGaveUp } from '../engine/judging/recorded.ts'
import type { Body } from '../engine/recording/event.ts'
import { bodyLimit } from './http.ts'
import { Recorder } from '../engine/recording/recorder.ts'
import { SecretLedger } from '../engine/recording/secrets/ledger.ts'

const within = 10_000
const receivers: CallbackReceiver[] = []

afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
})

const recorderOf = (scenario: string) =>
  new Recorder({ scenario, ledger: new SecretLedger(), now: () => 0 })

async function start(options: Parameters<typeof startCallbackReceiver>[0] = {}) {
  const stray = recorderOf('run')
  const receiver = await startCallbackReceiver({ stray, ...options })
  receivers.push(receiver)
  return { receiver, stray, recorder: recorderOf('a') }
}

const post = (url: string, body: string | Uint8Array<ArrayBuffer> = '{}') =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })

/** Sends bytes as they are and gives back the status line. */
async function raw(receiver: CallbackReceiver, text: string): Promise<string> {
  const { port } = new URL(receiver.origin)
  const socket = connect(Number(port), '127.0.0.1')
  socket.setEncoding('latin1').end(text)
  let answer = ''
  socket.on('data', (chunk: string) => (answer += chunk))
  await once(socket, 'close')
  return answer.split('\r\n')[0] ?? ''
}

describe('the callback URL', () => {
  test('is different for every call, and holds what careless clients change', async () => {
    const { receiver, recorder } = await start()
    const urls = ['call-1', 'call-2'].map((call) => receiver.open({ recorder, call }).url)
    expect(new Set(urls).size).toBe(2)
    for (const url of urls) {
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/.*%2F.*;v=1\/\?.*%2F.*%3D%3D&sig=2/)
      expect(new URL(url).href).toBe(url)
    }
  })

  test('is recorded exactly as it was requested', async () => {
    const { receiver, recorder } = await start()
    const { url } = receiver.open({ recorder, call: 'call-1' })
    expect((await post(url, '{"a":1}')).status).toBe(200)
    const [request] = recorder.transcript().requests('callback', 'call-1')
    expect(request).toMatchObject({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: { text: '{"a":1}', bytes: 7 },
    })
    expect(request && recorder.transcript().answer(request)).toMatchObject({ status: 200 })
  })

  test.each([
    ['decoded', (url: string) => url.replaceAll('%2F', '/')],
    ['with other escapes', (url: string) => url.replaceAll('%2F', '%2f')],
    ['without a query', (url: string) => url.split('?')[0] ?? ''],
    ['with more in the query', (url: string) => `${url}&extra=1`],
    ['with a sorted query', (url: string) => url.replace('sig=Zm9v%3D%3D&sig=2', 'sig=2')],
  ])('is recognised and recorded as it came: %s', async (_, mangle) => {
    const { receiver, recorder } = await start()
    const mangled = mangle(receiver.open({ recorder, call: 'call-1' }).url)
    await raw(
      receiver,
      `POST ${mangled.slice(receiver.origin.length)} HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`,
    )
    expect(recorder.transcript().requests('callback', 'call-1')).toMatchObject([{ url: mangled }])
  })

  test('is unknown elsewhere: the request goes to the log and is answered 404', async () => {
    const { receiver, stray, recorder } = await start()
    receiver.open({ recorder, call: 'call-1' })
    expect((await post(`${receiver.origin}/elsewhere?x=1`, 'hello')).status).toBe(404)
    expect(recorder.transcript().events).toEqual([])
    const [request] = stray.transcript().requests('callback')
    expect(request).toMatchObject({ url: `${receiver.origin}/elsewhere?x=1`, body: { bytes: 5 } })
    expect(request).not.toHaveProperty('call')
  })

  test('that is unknown needs no log', async () => {
    const receiver = await startCallbackReceiver()
    receivers.push(receiver)
    expect((await post(`${receiver.origin}/elsewhere`)).status).toBe(404)
  })

  test('takes any method, and bodies that are no JSON', async () => {
    const { receiver, recorder } = await start()
    const { url } = receiver.open({ recorder, call: 'call-1' })
    await fetch(url)
    await fetch(url, { method: 'PUT', body: 'x' })
    const methods = recorder
      .transcript()
      .requests('callback')
      .map(({ method }) => method)
    expect(methods).toEqual(['GET', 'PUT'])
  })
})

describe('the answer', () => {
  test('follows the plan of the call', async () => {
    const { receiver, recorder } = await start()
    const seen: [string, number][] = []
    const reply = (body: Body, nth: number): number => {
      seen.push([body.text, nth])
      return nth === 0 ? 503 : 200
    }
    const { url } = receiver.open({ recorder, call: 'call-1', reply })
    expect([(await post(url, 'a')).status, (await post(url, 'b')).status]).toEqual([503, 200])
    expect(seen).toEqual([
      ['a', 0],
      ['b', 1],
    ])
    const t = recorder.transcript()
    expect(t.requests('callback').map((each) => t.answer(each))).toMatchObject([
      { status: 503 },
      { status: 200 },
    ])
  })

  test('is held back until it is released', async () => {
    const { receiver, recorder } = await start()
    const { url } = receiver.open({ recorder, call: 'call-1', reply: () => 'hold' })
    const answered = post(url)
    await recorder.waitFor((t) => t.requests('callback')[0], within)
    const [request] = recorder.transcript().requests('callback')
    expect(request && recorder.transcript().answer(request)).toBeUndefined()
    receiver.release()
    expect((await answered).status).toBe(200)
    expect(request && recorder.transcript().answer(request)).toMatchObject({ status: 200 })
  })

  test('of which a sender that has given up learns nothing', async () => {
    const { receiver, recorder } = await start()
    const replies = { 'call-1': () => 'hold' as const, 'call-2': () => 200 }
    const [slow, quick] = Object.entries(replies).map(
      ([call, reply]) => receiver.open({ recorder, call, reply }).url,
    )
    const gaveUp = () => recorder.transcript().steps(senderGaveUp)
    expect(await post(quick!)).toMatchObject({ status: 200 })
    const sending = new AbortController()
    const given = fetch(slow!, { method: 'POST', body: '{}', signal: sending.signal })
    await recorder.waitFor((t) => t.requests('callback', 'call-1')[0], within)
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 2000)
    sending.abort()
    await expect(given).rejects.toThrow('aborted')
    await once(connect(Number(new URL(receiver.origin).port), '127.0.0.1').end(), 'close')
    expect(gaveUp()).toEqual([])
    receiver.release()
    await recorder.waitFor(() => gaveUp()[0], within)
    const [request] = recorder.transcript().requests('callback', 'call-1')
    expect(gaveUp()).toMatchObject([{ call: 'call-1', detail: { exchange: request?.exchange } }])
  })

  test.each([
    ['has closed its side, and reads', () => {}, /^HTTP\/1\.1 200 OK/, 0],
    ['has closed its side, and is gone', (socket: Socket) => socket.destroy(), /^$/, 1],
  ])('to a sender that %s', async (_, after, expected, times) => {
    const { receiver, recorder } = await start()
    const { url } = receiver.open({ recorder, call: 'call-1', reply: () => 'hold' })
    const { port, pathname, search } = new URL(url)
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
    let answer = ''
    socket.on('data', (piece) => (answer += String(piece)))
    const closed = once(socket, 'close')
    socket.write(`POST ${pathname}${search} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`)
    await new Promise<void>((sent) => socket.end(sent))
    await recorder.waitFor((t) => t.requests('callback')[0], within)
    after(socket)
    await once(connect(Number(port), '127.0.0.1').end(), 'close')
    receiver.release()
    await closed
    await recorder.waitFor((t) => t.steps(senderGaveUp)[0], times > 0 ? within : 0)
    expect(answer).toMatch(expected)
    expect(recorder.transcript().steps(senderGaveUp)).toHaveLength(times)
  })

  test('that is held back does not keep the receiver from closing', async () => {
    const { receiver, recorder } = await start()
    const { url } = receiver.open({ recorder, call: 'call-1', reply: () => 'hold' })
    const answered = post(url).then(
      ({ status }) => status,
      () => 'cut',
    )
    await recorder.waitFor((t) => t.requests('callback')[0], within)
    await receiver.close()
    expect([200, 'cut']).toContain(await answered)
  })

  test('is a reset of the connection', async () => {
    const { receiver, recorder } = await start()
    const { url } = receiver.open({ recorder, call: 'call-1', reply: () => 'reset' })
    await expect(post(url)).rejects.toThrow('fetch failed')
    const [request] = recorder.transcript().requests('callback')
    expect(request && recorder.transcript().answer(request)).toMatchObject({
      type: 'failure',
      code: 'reset',
    })
    expect(await post(`${receiver.origin}/`)).toMatchObject({ status: 404 })
  })
})

describe('what is sent to exhaust it', () => {
  test('more messages than the limit are answered 429, and noted once', async () => {
    const { receiver, recorder } = await start()
    const { url } = receiver.open({ recorder, call: 'call-1' })
    const other = receiver.open({ recorder, call: 'call-2' })
    const statuses: number[] = []
    for (let sent = 0; sent < messageLimit + 5; sent += 1) statuses.push((await post(url)).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(messageLimit)
    expect(statuses.slice(messageLimit)).toEqual([429, 429, 429, 429, 429])
    const t = recorder.transcript()
    expect(t.requests('callback')).toHaveLength(messageLimit)
    expect(t.steps('callback-flood')).toMatchObject([
      { detail: { limit: messageLimit, call: 'call-1' } },
    ])
    expect((await post(other.url)).status).toBe(200)
  })

  test('a body beyond the limit is cut, marked and answered 413', async () => {
    const { receiver, recorder } = await start()
    const { url } = receiver.open({ recorder, call: 'call-1' })
    // The connection may be closed before all of it was sent.
    const status = await post(url, 'x'.repeat(bodyLimit + 1)).then(
      (answer) => answer.status,
      () => 413,
    )
    expect(status).toBe(413)
    const request = await recorder.waitFor((t) => t.requests('callback')[0], within)
    expect(request?.body).toMatchObject({ truncated: true })
    expect(request && recorder.transcript().answer(request)).toMatchObject({ status: 413 })
  })

  test('a body of exactly the limit is taken', async () => {
    const { receiver, recorder } = await start()
    const { url } = receiver.open({ recorder, call: 'call-1' })
    expect((await post(url, 'x'.repeat(bodyLimit))).status).toBe(200)
    const [request] = recorder.transcript().requests('callback')
    expect(request?.body).toMatchObject({ bytes: bodyLimit })
    expect(request?.body).not.toHaveProperty('truncated')
  })

  test('bytes that are no UTF-8 are replaced and marked', async () => {
    const { receiver, recorder } = await start()
    const { url } = receiver.open({ recorder, call: 'call-1' })
    expect((await post(url, Uint8Array.from([0x7b, 0xff, 0x7d]))).status).toBe(200)
    expect(recorder.transcript().requests('callback')[0]?.body).toEqual({
      text: '{\ufffd}',
      bytes: 3,
      invalidUtf8: true,
    })
  })

  test('a body that breaks off is recorded as far as it came', async () => {
    const { receiver, recorder } = await start()
    const { url } = receiver.open({ recorder, call: 'call-1' })
    const target = url.slice(receiver.origin.length)
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(`POST ${target} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf`, () =>
      socket.end(),
    )
    const request = await recorder.waitFor((t) => t.requests('callback')[0], within)
    expect(request?.body?.text).toMatch(/^(half)?$/)
    socket.destroy()
  })
})

describe('a restart of the receiver', () => {
  test('refuses connections in between and comes back on the same port', async () => {
    const { receiver, recorder } = await start()
    const { url } = receiver.open({ recorder, call: 'call-1' })
    await receiver.pause()
    await expect(post(url)).rejects.toThrow('fetch failed')
    await receiver.resume()
    expect(new URL(url).origin).toBe(receiver.origin)
    expect((await post(url)).status).toBe(200)
  })

  test('cuts connections in progress', async () => {
    const { receiver, recorder } = await start()
    const { url } = receiver.open({ recorder, call: 'call-1', reply: () => 'hold' })
    const answered = post(url).then(
      () => 'answered',
      () => 'cut',
    )
    await recorder.waitFor((t) => t.requests('callback')[0], within)
    await receiver.pause()
    expect(await answered).toBe('cut')
  })

  test('may be asked for twice, and closed while paused', async () => {
    const { receiver } = await start()
    await receiver.pause()
    await receiver.pause()
    await receiver.close()
    await expect(post(receiver.origin)).rejects.toThrow('fetch failed')
  })
})

describe('inside the process', () => {
  test('it opens no port, and records the same', async () => {
    const { receiver, recorder } = await start({ origin: 'https://runtime.test' })
    const { url } = receiver.open({ recorder, call: 'call-1' })
    expect(url).toMatch(/^https:\/\/runtime\.test\/runtime\/callback%2Fv1\//)
    const answer = await receiver.fetch(new Request(url, { method: 'POST', body: '{}' }))
    expect(answer.status).toBe(200)
    expect(recorder.transcript().requests('callback')).toMatchObject([{ url }])
  })
})
