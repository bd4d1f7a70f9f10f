import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMockIssuers } from './msw.ts'
import { authorizationParameters, encode, members, redirectUri } from './testing.ts'

const issuers = createMockIssuers({
  answerFor: ['https://one.example', /^https:\/\/[a-z]+\.login\.test$/],
  clients: [{ clientId: 'app', redirectUris: [redirectUri] }],
  autoApprove: { subject: 'alice' },
})
const others = http.all('*', () => new HttpResponse('another handler', { status: 418 }))
const server = setupServer(...issuers.handlers, others)

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterAll(() => server.close())

const discover = (origin: string) => fetch(`${origin}/.well-known/oauth-authorization-server`)

describe('msw handlers', () => {
  test('answer for the issuers they were told, and leave others alone', async () => {
    for (const issuer of ['https://one.example', 'https://a.login.test', 'https://b.login.test']) {
      expect(await members(discover(issuer))).toMatchObject({ issuer })
    }
    for (const origin of ['https://two.example', 'https://login.test', 'http://one.example']) {
      expect((await discover(origin)).status).toBe(418)
      expect(() => issuers.at(origin)).toThrow(TypeError)
    }
  })

  test('keep issuers apart: the code of one is nothing to another', async () => {
    const url = `https://a.login.test/authorize?${encode(authorizationParameters)}`
    const answer = await fetch(url, { redirect: 'manual' })
    const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const redeem = async (origin: string) => {
      const body = new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        client_id: 'app',
        redirect_uri: redirectUri,
        code_verifier: 'a-verifier-of-43-characters-or-more-is-needed',
      })
      return (await fetch(`${origin}/token`, { method: 'POST', body })).status
    }
    expect(await redeem('https://b.login.test')).toBe(400)
    expect(await redeem('https://a.login.test')).toBe(200)
  })

  test('play one issuer at several origins', async () => {
    const names = ['https://www.several.example', 'https://api.several.example'] as const
    const several = createMockIssuers({ answerFor: [names] })
    expect(several.at(names[1])).toBe(several.at(names[0]))
    expect(several.at(names[1]).issuer).toBe(names[0])
  })

  test('disturb as they are told, up to a connection that is closed', async () => {
    const provider = issuers.at('https://one.example')
    provider.setFaults(['token-connection-closed'], 'client:app')
    const body = new URLSearchParams({ client_id: 'app' })
    await expect(fetch('https://one.example/token', { method: 'POST', body })).rejects.toThrow(
      TypeError,
    )
    expect(provider.events.at(-1)).toMatchObject({ type: 'connection', closedBy: 'provider' })
  })
})
