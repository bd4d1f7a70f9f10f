/** The load: a client that does one thing over and over, sixteen at once, and counts. */
import { createHash, randomBytes } from 'node:crypto'
import { Pool } from 'undici'
import type { Endpoints } from './contender.ts'
import { client } from './serve.ts'

const concurrency = 16

export type Task = (pool: Pool, endpoints: Endpoints) => Promise<void>

/** What can be done over and over. Each throws when the answer is not the one of a success. */
export const tasks = {
  discovery: (pool, { discovery }) => get(pool, discovery),
  jwks: (pool, { jwks }) => get(pool, jwks),
  tokens: async (pool, { token }) => {
    await requestToken(pool, token, { grant_type: 'client_credentials', scope: 'items:read' })
  },
  rounds: completeRound,
} as const satisfies Readonly<Record<string, Task>>

export type TaskName = keyof typeof tasks

/** How often a task is done in one turn: a number, so that a slow machine does as much. */
export const perTurn: Readonly<Record<TaskName, number>> = {
  discovery: 5000,
  jwks: 5000,
  tokens: 2000,
  rounds: 2000,
}

/** Does a task that many times, sixteen at once. */
export async function repeat(endpoints: Endpoints, task: Task, count: number): Promise<void> {
  let left = count
  const pool = new Pool(new URL(endpoints.token).origin, { connections: concurrency })
  const work = async () => {
    while (left-- > 0) await task(pool, endpoints)
  }
  try {
    await Promise.all(Array.from({ length: concurrency }, work))
  } finally {
    await pool.close()
  }
}

async function get(pool: Pool, url: string): Promise<void> {
  const { statusCode, body } = await pool.request({ path: new URL(url).pathname, method: 'GET' })
  await body.text()
  if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`)
}

/** Authorization with PKCE, redirect, redemption. */
async function completeRound(pool: Pool, { authorize, token }: Endpoints): Promise<void> {
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(8).toString('base64url')
  const query = new URLSearchParams({
    client_id: client.id,
    redirect_uri: client.redirectUri,
    response_type: 'code',
    scope: 'openid items:read',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const path = `${new URL(authorize).pathname}?${query.toString()}`
  const { statusCode, headers, body } = await pool.request({ path, method: 'GET' })
  const answered = await body.text()
  const location = String(headers.location)
  if (!location.startsWith(client.redirectUri)) {
    throw new Error(`${authorize} answered ${statusCode} ${location} ${answered.slice(0, 200)}`)
  }
  const { searchParams } = new URL(location)
  if (searchParams.get('state') !== state) throw new Error('the state was not returned')
  const tokens = await requestToken(pool, token, {
    grant_type: 'authorization_code',
    code: searchParams.get('code') ?? '',
    redirect_uri: client.redirectUri,
    code_verifier: verifier,
  })
  if (!tokens.includes('"id_token"')) throw new Error('there is no ID token')
}

async function requestToken(
  pool: Pool,
  url: string,
  form: Readonly<Record<string, string>>,
): Promise<string> {
  const credentials = { client_id: client.id, client_secret: client.secret }
  const response = await pool.request({
    path: new URL(url).pathname,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...form, ...credentials }).toString(),
  })
  const body = await response.body.text()
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode} ${body}`)
  return body
}
