import { beforeEach, describe, expect, test } from 'vitest'
import { HttpFailure, bodyOf, type HttpRequest, type HttpResponse } from '../http.ts'
import { Recorder } from '../../engine/recording/recorder.ts'
import { SecretLedger } from '../../engine/recording/secrets/ledger.ts'
import { UserAgent, redirectLimit, visitHeader, type UserAgentOptions } from './user-agent.ts'
import { tamper } from './tamper.ts'

const issuer = 'https://provider.test'
const reached = 'http://127.0.0.1:4100'

type Page = Partial<Omit<HttpResponse, 'body'>> & { readonly text?: string }

let sent: HttpRequest[] = []
let pages: Record<string, Page | HttpFailure | Error> = {}
let recorder: Recorder
let browser: UserAgent

beforeEach(() => {
  sent = []
  pages = {}
  recorder = new Recorder({ scenario: 'visits', ledger: new SecretLedger(), now: () => 0 })
  browser = new UserAgent(options())
})

const options = (): UserAgentOptions => ({
  recorder,
  issuer,
  origins: new Map([
    ['https://tool.example', reached],
    [reached, reached],
  ]),
  within: () => 1234,
  signal: new AbortController().signal,
  async transport(request) {
    sent.push(request)
    const page = pages[request.url]
    if (page instanceof Error) throw page
    const { status = page ? 200 : 404, headers = {}, text = '' } = page ?? {}
    return { status, headers, body: bodyOf(Buffer.from(text)) }
  },
})

const visit = (url: string) => browser.visit(url, 'call-1')
const to = (location: string, headers: Record<string, string> = {}): Page => ({
  status: 302,
  headers: { location, ...headers },
})
const urls = () => sent.map(({ url }) => url)

describe('a visit', () => {
  test('ends at a page', async () => {
    pages[`${reached}/cb?x=1`] = { status: 201 }
    const url = 'https://tool.example/cb?x=1'
    expect(await visit(url)).toEqual({ ended: 'page', status: 201, url })
    expect(sent).toMatchObject([{ method: 'GET', url: `${reached}/cb?x=1`, within: 1234 }])
  })

  test('posts the form by which a provider answers the authorization request', async () => {
    pages[`${issuer}/authorize?client_id=c`] = { text: answerForm('error', 'invalid_scope') }
    pages[`${reached}/cb?flow=a%20b`] = { text: 'That did not work.' }
    expect(await visit(`${issuer}/authorize?client_id=c`)).toMatchObject({ ended: 'page' })
    expect(sent.at(-1)).toMatchObject({ method: 'POST', body: 'error=invalid_scope' })
  })

  test('ends at the consent page without asking for it', async () => {
    expect(await visit(`${issuer}/authorize/a-7?x=1#y`)).toEqual({
      ended: 'interaction',
      authorization: 'a-7',
    })
    expect(sent).toEqual([])
  })

  test('follows redirects by hand, relative ones too, across origins', async () => {
    pages[`${issuer}/authorize?client_id=c`] = to(`${issuer}/authorize/a-1`)
    pages[`${reached}/start`] = to('../go?to=1')
    pages[`${reached}/go?to=1`] = to(`${issuer}/authorize?client_id=c`)
    expect(await visit(`${reached}/start`)).toEqual({ ended: 'interaction', authorization: 'a-1' })
    expect(urls()).toEqual([
      `${reached}/start`,
      `${reached}/go?to=1`,
      `${issuer}/authorize?client_id=c`,
    ])
  })

  test.each([301, 302, 303, 307, 308])('follows %i', async (status) => {
    pages[`${reached}/a`] = { status, headers: { location: '/b' } }
    pages[`${reached}/b`] = { status: 200 }
    expect(await visit(`${reached}/a`)).toMatchObject({ ended: 'page', url: `${reached}/b` })
  })

  test('takes a redirect without a location, and a location without a redirect, as a page', async () => {
    pages[`${reached}/a`] = { status: 302 }
    pages[`${reached}/b`] = { status: 201, headers: { location: '/c' } }
    expect(await visit(`${reached}/a`)).toMatchObject({ ended: 'page', status: 302 })
    expect(await visit(`${reached}/b`)).toMatchObject({ ended: 'page', status: 201 })
  })

  test('ends in a loop after so many redirects', async () => {
    pages[`${reached}/loop`] = to('/loop')
    expect(await visit(`${reached}/loop`)).toEqual({
      ended: 'loop',
      url: `${reached}/loop`,
      reason: `more than ${redirectLimit} redirects`,
    })
    expect(sent).toHaveLength(redirectLimit)
  })

  test('ends where nothing answers, which is recorded', async () => {
    pages[`${reached}/`] = new HttpFailure('ECONNREFUSED', 'refused')
    expect(await visit(`${reached}/`)).toEqual({
      ended: 'failure',
      url: `${reached}/`,
      reason: 'ECONNREFUSED: refused',
    })
    const [request] = recorder.transcript().requests('browser', 'call-1')
    expect(request && recorder.transcript().answer(request)).toMatchObject({
      type: 'failure',
      code: 'ECONNREFUSED',
    })
  })

  test('passes on what is no failure of HTTP', async () => {
    pages[`${reached}/`] = new Error('the harness broke')
    await expect(visit(`${reached}/`)).rejects.toThrow('the harness broke')
  })

  test('is recorded with where it began and where it ended', async () => {
    pages[`${reached}/cb`] = { status: 200, text: 'thanks' }
    await visit(`${reached}/cb`)
    const t = recorder.transcript()
    expect(t.events.map(({ type }) => type)).toEqual(['step', 'request', 'response', 'step'])
    expect(t.steps('visit', 'call-1')[0]?.detail).toEqual({ url: `${reached}/cb` })
    expect(t.steps('visited', 'call-1')[0]?.detail).toMatchObject({ ended: 'page', status: 200 })
    const [request] = t.requests('browser')
    expect(request && t.answer(request)).toMatchObject({ body: { text: 'thanks', bytes: 6 } })
  })
})

describe('the browser does not go', () => {
  test.each([
    ['javascript:alert(1)', 'scheme javascript:'],
    ['JavaScript:alert(1)', 'scheme javascript:'],
    ['file:///etc/passwd', 'scheme file:'],
    ['data:text/html,<script>', 'scheme data:'],
    ['ftp://127.0.0.1/', 'scheme ftp:'],
    ['blob:https://provider.test/x', 'scheme blob:'],
    ['/relative', 'not an absolute URL'],
    ['', 'not an absolute URL'],
    ['https://user:word@provider.test/authorize', 'user information'],
    ['https://provider.test@evil.example/', 'user information'],
    ['https://evil.example/', 'origin https://evil.example'],
    ['http://provider.test/authorize', 'origin http://provider.test'],
    ['https://provider.test:444/', 'origin https://provider.test:444'],
    ['https://provider.test.evil.example/', 'origin https://provider.test.evil'],
    ['http://127.0.0.1:4101/', 'origin http://127.0.0.1:4101'],
    ['http://169.254.169.254/latest/meta-data', 'origin http://169.254'],
    ['https://evil.example\\@provider.test/', 'origin https://evil.example'],
  ])('to %s, neither directly nor by a redirect', async (url, reason) => {
    expect(await visit(url)).toEqual({
      ended: 'blocked',
      url,
      reason: expect.stringContaining(reason),
    })
    expect(sent).toEqual([])
    pages[`${reached}/`] = to(url)
    // What is relative in a redirect stays at the tool.
    const { ended } = await visit(`${reached}/`)
    expect(ended).toBe(URL.canParse(url) ? 'blocked' : 'page')
    expect(urls().every((each) => each.startsWith(reached))).toBe(true)
  })

  test('to what is no URL at all', async () => {
    pages[`${reached}/`] = to('http://[oops')
    expect(await visit(`${reached}/`)).toMatchObject({
      ended: 'blocked',
      reason: 'redirects to something that is not a URL: http://[oops',
    })
  })

  test('further than an obstacle: what was before it is recorded', async () => {
    pages[`${reached}/`] = to('https://evil.example/?code=1')
    await visit(`${reached}/`)
    expect(recorder.transcript().steps('visited')[0]?.detail).toMatchObject({
      ended: 'blocked',
      url: 'https://evil.example/?code=1',
    })
  })
})

describe('what is sent', () => {
  test('names the visit to the provider, and to nobody else', async () => {
    pages[`${reached}/`] = to(`${issuer}/authorize?x=1`)
    await visit(`${reached}/`)
    expect(sent[0]?.headers).not.toHaveProperty(visitHeader)
    expect(sent[1]?.headers).toMatchObject({ [visitHeader]: 'visits/call-1' })
  })

  test('is recorded where it goes to the tool, under its public origin', async () => {
    await visit('https://tool.example/cb?code=1')
    await visit(`${issuer}/other`)
    const requests = recorder.transcript().requests('browser')
    expect(requests.map(({ url }) => url)).toEqual(['https://tool.example/cb?code=1'])
  })

  test('keeps the fragment to itself', async () => {
    await visit(`${reached}/cb?a=1#secret`)
    expect(urls()).toEqual([`${reached}/cb?a=1`])
  })

  test('brings back the cookies of its own site, to the right paths', async () => {
    pages[`${reached}/set`] = {
      headers: {
        'set-cookie': 'one=1; Path=/\ntwo=2; Path=/only; HttpOnly\nbad; Domain=evil.example',
      },
    }
    await visit(`${reached}/set`)
    await visit(`${reached}/`)
    await visit(`${reached}/only`)
    await visit(`${issuer}/authorize?x`)
    expect(sent.map(({ headers }) => headers['cookie'])).toEqual([
      undefined,
      'one=1',
      expect.stringMatching(/^(one=1; two=2|two=2; one=1)$/),
      undefined,
    ])
  })

  test.each([
    ['what opened it', undefined, '', 'strict=1; lax=1; any=1'],
    ['the provider', 'provider', '', 'lax=1; any=1'],
    ['a form of the provider', 'provider', '?code=c#form_post.0', 'any=1'],
  ] as const)('of another site: coming from %s', async (_, from, more, cookie) => {
    pages[`${reached}/set`] = {
      headers: { 'set-cookie': 'strict=1; SameSite=Strict\nlax=1; SameSite=Lax\nany=1' },
    }
    await browser.visit(`${reached}/set`, 'call-1')
    await browser.visit(`${reached}/cb${more}`, 'call-1', from)
    expect(sent[1]?.headers['cookie']).toBe(cookie)
  })

  test('after a redirect as before, after a page of the implementation all', async () => {
    pages[`${reached}/set`] = { headers: { 'set-cookie': 's=1; SameSite=Strict' } }
    pages[`${reached}/cb`] = to('/page')
    pages[`${reached}/page`] = {
      headers: { 'content-type': 'text/html' },
      text: '<a href="/next">Go on</a>',
    }
    const pressing = new UserAgent({ ...options(), presses: true })
    await pressing.visit(`${reached}/set`, 'call-1')
    await pressing.visit(`${reached}/cb`, 'call-1', 'provider')
    expect(sent.map(({ url, headers }) => [url.slice(reached.length), headers['cookie']])).toEqual([
      ['/set', undefined],
      ['/cb', undefined],
      ['/page', undefined],
      ['/next', 's=1'],
    ])
  })

  test('has secure cookies where the public origin is https', async () => {
    pages[`${reached}/set`] = { headers: { 'set-cookie': '__Host-s=1; Path=/; Secure' } }
    await visit('https://tool.example/set')
    await visit('https://tool.example/')
    expect(sent[1]?.headers['cookie']).toBe('__Host-s=1')
  })

  test('a cookie that the jar refuses breaks nothing', async () => {
    pages[`${reached}/set`] = { headers: { 'set-cookie': '=\n;;;\nx=y; Domain=other.example' } }
    expect(await visit(`${reached}/set`)).toMatchObject({ ended: 'page' })
  })
})

/** As a provider answers in the response mode form_post. */
const answerForm = (name: string, value: string): string =>
  `<form method="post" action="${reached}/cb?flow=a%20b"><input type="hidden" name="${name}" value="${value}" /><button>Go on</button></form>`

describe('a decision', () => {
  const decision = { action: 'approve', subject: 'me' } as const

  test('is posted to the consent page, and gives the redirect', async () => {
    pages[`${issuer}/authorize/a-1/decision`] = to('https://tool.example/cb?code=1')
    const redirect = await browser.decide('a-1', decision, 'call-1')
    expect(redirect).toBe('https://tool.example/cb?code=1')
    expect(sent).toMatchObject([
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', [visitHeader]: 'visits/call-1' },
        body: JSON.stringify(decision),
      },
    ])
    expect(recorder.transcript().steps('decide', 'call-1')[0]?.detail).toEqual({
      authorization: 'a-1',
      ...decision,
    })
  })

  test('whose answer is a form that a page posts gives the redirect that it stands for', async () => {
    pages[`${issuer}/authorize/a-1/decision`] = { text: answerForm('code', 'c 1') }
    const redirect = await browser.decide('a-1', decision, 'call-1')
    expect(redirect).toBe(`${reached}/cb?flow=a%20b&code=c+1#form_post.1`)

    pages[`${reached}/cb?flow=a%20b`] = { text: 'Thank you.' }
    expect(await visit(tamper(redirect, { code: 'c-2' }))).toMatchObject({ ended: 'page' })
    expect(sent.at(-1)).toMatchObject({
      method: 'POST',
      url: `${reached}/cb?flow=a+b`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'code=c-2',
    })
    expect(recorder.transcript().requests('browser').at(-1)).toMatchObject({
      method: 'POST',
      url: `${reached}/cb?flow=a+b&code=c-2`,
    })
  })

  test.each([
    [307, { method: 'POST', body: 'code=c' }, `${reached}/cb/?code=c`],
    [308, { method: 'POST', body: 'code=c' }, `${reached}/cb/?code=c`],
    [302, { method: 'GET', body: undefined }, `${reached}/cb/`],
    [303, { method: 'GET', body: undefined }, `${reached}/cb/`],
  ])('whose answer is posted and redirected by %i goes on', async (status, request, shown) => {
    pages[`${issuer}/authorize/a-1/decision`] = { text: answerForm('code', 'c') }
    pages[`${reached}/cb?flow=a%20b`] = { status, headers: { location: '/cb/' } }
    pages[`${reached}/cb/`] = { text: 'Thank you.' }
    await visit(await browser.decide('a-1', decision, 'call-1'))
    expect(sent.at(-1)).toMatchObject({ url: `${reached}/cb/`, ...request })
    expect(recorder.transcript().requests('browser').at(-1)?.url).toBe(shown)
  })

  test('that the provider refuses is trouble of the harness', async () => {
    pages[`${issuer}/authorize/a-1/decision`] = { status: 400, text: 'unknown fault' }
    await expect(browser.decide('a-1', decision, 'call-1')).rejects.toThrow(
      'the provider refused the decision: 400 unknown fault',
    )
  })
})

describe('tampering', () => {
  const url = 'https://tool.example/cb?code=c%2B1&state=s&x=1'

  test('replaces, adds and removes parameters', () => {
    const changed = new URL(tamper(url, { state: 'a b', code: undefined, user: 'é' }))
    expect(Object.fromEntries(changed.searchParams)).toEqual({ state: 'a b', x: '1', user: 'é' })
    expect(changed.pathname).toBe('/cb')
  })

  test('finds the parameters in the fragment, where the response is there', () => {
    const inFragment = 'https://tool.example/cb?x=1#code=c&state=s'
    expect(tamper(inFragment, { state: 'other', code: undefined })).toBe(
      'https://tool.example/cb?x=1#state=other',
    )
    expect(tamper(`${url}#top`, { state: 'other' })).toContain('state=other&x=1#top')
  })

  test('leaves the rest as it was in meaning', () => {
    expect(new URL(tamper(url, { x: '2' })).searchParams.get('code')).toBe('c+1')
    expect(tamper(url, {})).toBe(url)
  })
})

test('a connection to the provider may be used again, one to the implementation never', async () => {
  pages[`${reached}/cb`] = {}
  await visit(`${issuer}/authorize?x=1`)
  await visit(`${reached}/cb`)
  expect(sent.map(({ keepAlive }) => keepAlive)).toEqual([true, false])
})

describe('a page with one way only', () => {
  const page = { headers: { 'content-type': 'text/html' }, text: '<a href="/next">Go on</a>' }

  test('ends a visit', async () => {
    pages[`${reached}/connect`] = page
    expect(await visit(`${reached}/connect`)).toMatchObject({ ended: 'page', status: 200 })
  })

  test('is passed by whoever presses what there is', async () => {
    pages[`${reached}/connect`] = page
    pages[`${reached}/next`] = to(`${issuer}/authorize/a-1`)
    const pressing = new UserAgent({ ...options(), presses: true })
    expect(await pressing.visit(`${reached}/connect`, 'call-1')).toEqual({
      ended: 'interaction',
      authorization: 'a-1',
    })
  })
})
