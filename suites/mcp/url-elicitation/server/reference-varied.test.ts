/** The variations of the reference server: all of them start, and the lawful ones do what they are for. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { UrlElicitationRequiredError } from '@modelcontextprotocol/client'

import { createMockProvider } from '../../../../mock-provider/index.ts'
import { allDefects as defects } from './reference/defects.ts'
import {
  createWorld,
  credentials,
  endpoint,
  issuer,
  publicUrl,
  type World,
} from './reference/fixtures/world.ts'
import { oddities } from './reference/oddities.ts'
import { defaultParts } from './reference/parts.ts'

let world: World

beforeEach(() => {
  world = createWorld(
    createMockProvider({
      issuer,
      audiences: [endpoint],
      idTokenSigningAlg: 'ES256',
      clients: [{ ...credentials, redirectUris: [`${publicUrl}/callback`] }],
    }),
  )
})
afterEach(() => world.end())

test.each([
  ['defects', defects],
  ['oddities', oddities],
])('no two %s have the same id', (_name, rows) => {
  const ids = rows.map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)])
})

describe('with a defect', () => {
  const isCallback = ({ pathname }: URL) => pathname === '/callback'
  const exchanges = () => world.requests.filter(({ url }) => url === `${issuer}/token`).length

  /** How many codes are redeemed for a callback that was changed, or used before. */
  async function forged(id: string, forge: (query: URLSearchParams) => void, replay = false) {
    const defect = defects.find((each) => each.id === id)
    world.start({}, defect?.parts(defaultParts))
    const browser = world.browserOf('alice')
    await browser.visit(`${publicUrl}/login?return=/`)
    const back = new Promise<string>((resolve) => {
      void world
        .connect({
          user: 'alice',
          onUrl: async ({ url }) => {
            resolve((await browser.visit(String(url), isCallback)).url)
            return { action: 'accept' }
          },
        })
        .then(({ call }) => call())
        .catch(() => {})
    })
    const url = new URL(await back)
    if (replay) await browser.visit(url.href)
    const before = exchanges()
    forge(url.searchParams)
    await browser.visit(url.href)
    return exchanges() - before
  }

  const evil = 'https://evil.example'
  test.each([
    ['state-reusable', () => {}, true, 1],
    ['state-ignored', (query: URLSearchParams) => query.set('state', 'x'), false, 1],
    ['state-ignored', (query: URLSearchParams) => query.delete('state'), false, 1],
    ['state-compared-when-present', (query: URLSearchParams) => query.delete('state'), false, 1],
    ['state-compared-when-present', (query: URLSearchParams) => query.set('state', 'x'), false, 0],
    ['issuer-not-compared', (query: URLSearchParams) => query.set('iss', evil), false, 1],
    ['issuer-missing-accepted', (query: URLSearchParams) => query.delete('iss'), false, 1],
    ['issuer-missing-accepted', (query: URLSearchParams) => query.set('iss', evil), false, 0],
  ])('%s: redeems what it must not', async (id, forge, replay, redeemed) => {
    expect(await forged(id, forge, replay)).toBe(redeemed)
  })

  test.each(defects)('$id: starts', async ({ parts }) => {
    world.start({}, parts(defaultParts))
    const described = await world.request('/.well-known/oauth-protected-resource')
    expect(described.status).toBe(200)
  })
})

/** Those that take their time are driven by the proof only. */
const quick = oddities.filter(({ id }) => !/-after-\w+-seconds$/.test(id))

describe('with an oddity', () => {
  /** Calls until the items are there, as a person goes on who is told to. */
  async function listItems(
    client: Awaited<ReturnType<World['connect']>>,
    visits: Promise<unknown>[],
    asked: Promise<void>,
  ) {
    const browser = world.browserOf('alice')
    for (let calls = 0; calls < 3; calls += 1) {
      try {
        const { text, isError } = await client.call()
        if (isError || text.includes('Welcome')) return text
      } catch (error) {
        if (!(error instanceof UrlElicitationRequiredError)) throw error
        visits.push(...error.elicitations.map(({ url }) => browser.visit(url)))
      }
      // A call may end before its user is asked.
      if (visits.length === 0) await asked
      await Promise.all(visits)
    }
    throw new Error('never authorized')
  }

  for (const modern of [false, true]) {
    test.each(quick)(
      `$id: lists the items, ${modern ? '2026-07-28' : '2025-11-25'}`,
      async (row) => {
        const authorization = row.env?.['MCP_AUTHORIZATION'] === 'none' ? 'none' : 'required'
        world.start({ authorization }, row.parts?.(defaultParts))
        const browser = world.browserOf('alice')
        const visits: Promise<unknown>[] = []
        let tell = (): void => undefined
        const asked = new Promise<void>((resolve) => (tell = resolve))
        const client = await world.connect({
          user: 'alice',
          modern,
          onUrl: ({ url }) => {
            visits.push(browser.visit(String(url)))
            tell()
            return { action: 'accept' }
          },
        })
        expect(await listItems(client, visits, asked)).toContain('Welcome, alice')
        await Promise.all(visits)
      },
    )
  }
})
