/** What the provider's own tests share: a client that does everything right, step by step overridable. */
import { generateKeyPairSync } from 'node:crypto'
import type { Decision } from './authorization/decide.ts'
import { s256 } from './authorization/pkce.ts'
import {
  createMockProvider,
  type MockProvider,
  type MockProviderOptions,
} from './provider/provider.ts'

export const redirectUri = 'https://app.example/callback'
export const otherRedirectUri = 'https://app.example/other'
export const verifier = 'a-verifier-of-43-characters-or-more-is-needed'
export const secret = 'a secret: with % and +'

type Form = Readonly<Record<string, string | undefined>>

/** One RSA key for all: to make one for each provider would take most of the tests' time. */
const signingKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

/** A provider with a public client `app`, and confidential ones `web` and `other`. */
export function testProvider(options: MockProviderOptions = {}): MockProvider {
  return createMockProvider({
    clients: [
      { clientId: 'app', redirectUris: [redirectUri, otherRedirectUri] },
      { clientId: 'web', clientSecret: secret, redirectUris: [redirectUri] },
      { clientId: 'other', clientSecret: 'other', redirectUris: [redirectUri] },
    ],
    signingKey,
    ...options,
  })
}

export function encode(parameters: Form): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined)
  return new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, value ?? '']),
  ).toString()
}

/** RFC 6749 §2.3.1. */
export function basic(clientId: string, secret: string): { authorization: string } {
  const encoded = [clientId, secret].map(encodeURIComponent).join(':')
  return { authorization: `Basic ${Buffer.from(encoded).toString('base64')}` }
}

export async function post(
  provider: MockProvider,
  path: string,
  form: Form | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return provider.app.request(path, {
    method: 'POST',
    body: typeof form === 'string' ? form : encode(form),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
}

/** A valid authorization request. */
export const authorizationParameters: Form = {
  client_id: 'app',
  redirect_uri: redirectUri,
  response_type: 'code',
  state: 'the-state',
  scope: 'items:read items:write',
  code_challenge: s256(verifier),
  code_challenge_method: 'S256',
}

/** Requests authorization; what is undefined in the changes is left out. */
export async function authorize(provider: MockProvider, changes: Form = {}): Promise<Response> {
  return provider.app.request(`/authorize?${encode({ ...authorizationParameters, ...changes })}`)
}

/** Requests authorization and returns its id. */
export async function begin(provider: MockProvider, changes: Form = {}): Promise<string> {
  const location = locationOf(await authorize(provider, changes))
  return location.pathname.split('/').at(-1) ?? ''
}

export async function decideJson(
  provider: MockProvider,
  id: string,
  decision: Partial<Decision> = {},
): Promise<Response> {
  return provider.app.request(`/authorize/${id}/decision`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'approve', ...decision }),
  })
}

export function locationOf(response: Response): URL {
  return new URL(response.headers.get('location') ?? 'about:blank')
}

export interface Approved {
  readonly id: string
  readonly code: string
  readonly response: URL
}

/** Obtains a code. */
export async function approve(
  provider: MockProvider,
  decision: Partial<Decision> = {},
  changes: Form = {},
): Promise<Approved> {
  const id = await begin(provider, changes)
  const response = locationOf(await decideJson(provider, id, decision))
  return { id, code: response.searchParams.get('code') ?? '', response }
}

/** Redeems a code as the public client. */
export async function redeem(
  provider: MockProvider,
  code: string,
  changes: Form = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const form = {
    grant_type: 'authorization_code',
    code,
    client_id: 'app',
    redirect_uri: redirectUri,
    code_verifier: verifier,
  }
  return post(provider, '/token', { ...form, ...changes }, headers)
}

export interface TokenResponse {
  readonly access_token: string
  readonly refresh_token: string
  readonly id_token?: string
  readonly expires_in: number
  readonly scope: string
  readonly token_type: string
}

/** Obtains tokens. */
export async function obtain(
  provider: MockProvider,
  decision: Partial<Decision> = {},
  changes: Form = {},
): Promise<TokenResponse & Approved> {
  const approved = await approve(provider, decision, changes)
  return { ...approved, ...(await members<TokenResponse>(redeem(provider, approved.code))) }
}

export async function refresh(
  provider: MockProvider,
  token: string,
  changes: Form = {},
): Promise<Response> {
  const form = { grant_type: 'refresh_token', refresh_token: token, client_id: 'app' }
  return post(provider, '/token', { ...form, ...changes })
}

export async function listItems(provider: MockProvider, token: string): Promise<Response> {
  return provider.app.request('/resource/items', { headers: { authorization: `Bearer ${token}` } })
}

/** The members of a JSON response. */
export async function members<T = Record<string, unknown>>(
  response: Response | Promise<Response>,
): Promise<T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what tests expect, they assert
  return (await (await response).json()) as T
}

/** `400 invalid_grant`: what a refusal comes down to. */
export async function refusal(response: Response | Promise<Response>): Promise<string> {
  const { status } = await response
  return `${status} ${String((await members(response))['error'])}`
}
