import { Client } from '@notionhq/client'
import { Notion } from 'arctic'
import { expect, test } from 'vitest'
import { decideJson, locationOf, redirectUri, testProvider } from '../testing.ts'

const provider = testProvider({ preset: 'notion' })

/** Notion's own client, for a server of its own. */
const client = new Client({
  baseUrl: provider.issuer,
  fetch: (url, init) => provider.fetch(new Request(url, init)),
})
const app = { client_id: 'other', client_secret: 'other' }

test("Notion's own client redeems, introspects and revokes", async () => {
  const url = new Notion('other', 'other', redirectUri).createAuthorizationURL('the-state')
  const page = locationOf(await provider.app.request(`${url.pathname}${url.search}`))
  const decided = await decideJson(provider, page.pathname.split('/').at(-1) ?? '')
  const code = locationOf(decided).searchParams.get('code') ?? ''

  const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri } as const
  const { access_token, refresh_token, bot_id } = await client.oauth.token({ ...app, ...grant })
  expect(bot_id).toMatch(/^authz_/)
  const refreshing = { grant_type: 'refresh_token', refresh_token: refresh_token ?? '' } as const
  const refreshed = await client.oauth.token({ ...app, ...refreshing })
  expect(refreshed.access_token).not.toBe(access_token)

  const presented = { ...app, token: refreshed.access_token }
  expect(await client.oauth.introspect(presented)).toMatchObject({ active: true })
  expect(await client.oauth.revoke(presented)).toHaveProperty('request_id')
  expect(await client.oauth.introspect(presented)).toMatchObject({ active: false })
})
