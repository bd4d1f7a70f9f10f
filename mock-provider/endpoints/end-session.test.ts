import { beforeEach, expect, test } from 'vitest'
import type { MockProvider } from '../provider/provider.ts'
import {
  authorizationParameters,
  encode,
  locationOf,
  members,
  obtain,
  post,
  redirectUri,
  testProvider,
} from '../testing.ts'

const bye = 'https://app.example/bye?x=1'

let provider: MockProvider
let hint: string
let cookie: string

beforeEach(async () => {
  provider = testProvider({
    clients: [
      { clientId: 'app', redirectUris: [redirectUri], postLogoutRedirectUris: [bye] },
      { clientId: 'other', redirectUris: [redirectUri] },
    ],
  })
  hint = (await obtain(provider, { subject: 'bob' }, { scope: 'openid' })).id_token ?? ''
  cookie = await signIn('bob')
})

/** Signs a user in and returns the cookie of the session. */
async function signIn(subject: string): Promise<string> {
  const query = encode({ ...authorizationParameters, scope: 'openid' })
  const page = locationOf(await provider.app.request(`/authorize?${query}`))
  const decided = await provider.app.request(`${page.pathname}/decision`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'approve', subject }),
  })
  return decided.headers.get('set-cookie')?.split(';')[0] ?? ''
}

const end = async (parameters: Readonly<Record<string, string>>) =>
  provider.app.request(`/end_session?${encode(parameters)}`, { headers: { cookie } })

/** Tells whether a silent request is answered. */
async function isSignedIn(): Promise<boolean> {
  const query = encode({ ...authorizationParameters, scope: 'openid', prompt: 'none' })
  const response = await provider.app.request(`/authorize?${query}`, { headers: { cookie } })
  return locationOf(response).searchParams.has('code')
}

test('signs the user out and goes on where the client registered', async () => {
  expect(await isSignedIn()).toBe(true)
  const response = await end({
    id_token_hint: hint,
    post_logout_redirect_uri: bye,
    state: 'a&b',
    client_id: 'app',
  })
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe(`${bye}&state=a%26b`)
  expect(response.headers.get('set-cookie')).toMatch(/=; Path=\/;.*Max-Age=0$/)
  expect(await isSignedIn()).toBe(false)
})

test('takes a POST as well, without a redirect', async () => {
  const response = await post(provider, '/end_session', { id_token_hint: hint }, { cookie })
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('You are signed out')
  expect(await isSignedIn()).toBe(false)
})

test.each([
  ['nobody', () => ({ client_id: 'app', post_logout_redirect_uri: bye, state: 's' })],
  ['another user', async () => ({ id_token_hint: await hintFor('alice'), state: 's' })],
])('asks the user when the hint is about %s', async (_, parameters) => {
  const given = await parameters()
  const response = await end(given)
  expect(response.status).toBe(200)
  const text = await response.text()
  expect(text).toContain('Sign out?')
  expect(text).toContain('name="state" value="s"')
  expect(await isSignedIn()).toBe(true)
  const confirmed = await post(provider, '/end_session', { ...given, confirm: 'yes' }, { cookie })
  expect(confirmed.status).toBe('post_logout_redirect_uri' in given ? 303 : 200)
  expect(await isSignedIn()).toBe(false)
})

const hintFor = async (subject: string) =>
  (await obtain(provider, { subject }, { scope: 'openid' })).id_token ?? ''

test.each([
  [
    'an unregistered address',
    () => ({ id_token_hint: hint, post_logout_redirect_uri: redirectUri }),
  ],
  ['an address without a client', () => ({ post_logout_redirect_uri: bye })],
  ['a hint for another client', () => ({ id_token_hint: hint, client_id: 'other' })],
  ['an unknown client', () => ({ client_id: 'nobody' })],
  ['a hint that is none', () => ({ id_token_hint: `${hint.slice(0, -4)}AAAA` })],
])('refuses %s, and goes nowhere (§4)', async (_, parameters) => {
  const response = await end(parameters())
  expect(response.status).toBe(400)
  expect(response.headers.get('location')).toBeNull()
  expect(await isSignedIn()).toBe(true)
})

test('is announced, and a client registers for it', async () => {
  const metadata = await members(provider.app.request('/.well-known/openid-configuration'))
  expect(metadata['end_session_endpoint']).toBe(`${provider.issuer}/end_session`)
  const registration = { redirect_uris: [redirectUri], post_logout_redirect_uris: [bye] }
  const registered = provider.app.request('/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(registration),
  })
  expect(await members(registered)).toMatchObject(registration)
})
