/** What somebody else's certification may decide about a run on this machine: nothing that leads elsewhere. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseConfiguration } from '../harness/engine/index.ts'
import type { RunRecord } from '../reports/index.ts'
import { profiles } from '../suites/registry.ts'
import { scratch } from './run-cli.ts'
import { certifiedAgain, local, places } from '../cli/configuration/certified-again.ts'
import type { ConfigureOptions } from '../cli/configuration/configure.ts'

const here = 'http://mine.example:8080'
const at = { target: { url: 'http://vendor.example' } }
type Settings = Record<string, unknown>

/** The configuration with which a certification by these settings would be run again here. */
async function again(settings: Settings, options: ConfigureOptions = {}): Promise<string> {
  const profile = profiles.find(({ id }) => id === settings['profile'])!
  const configuration = parseConfiguration(profile.configuration, settings) as Settings
  const record = { profile: profile.id, configuration } as unknown as RunRecord
  return JSON.stringify((await certifiedAgain(record, { url: here, ...options })).configuration)
}
const tool = (settings: Settings) => ({ profile: 'rap-oauth/tool', ...at, ...settings })
const runtime = (settings: Settings) => ({
  profile: 'rap-oauth/runtime',
  ...at,
  messages: { http: { path: '/say' } },
  surface: [{ poll: { path: '/seen' } }],
  ...settings,
})
const agent = (api: Settings) => ({
  profile: 'adk-credential/agent',
  ...at,
  operation: { name: 'list_items' },
  api,
})
const elsewhere = 'http://vendor.example/x'

test.each<[string, Settings]>([
  ['the endpoint', tool({ target: { ...at.target, endpoint: elsewhere } })],
  ['it by two slashes', tool({ target: { ...at.target, endpoint: '//vendor.example/x' } })],
  ['it by backslashes', tool({ target: { ...at.target, endpoint: '/\\vendor.example/x' } })],
  [
    'what answers for an origin',
    tool({ target: { ...at.target, origins: { [here]: 'http://vendor.example' } } }),
  ],
  [
    'where a browser logs in',
    {
      profile: 'mcp-url-elicitation/server',
      ...at,
      tool: { name: 'list_items' },
      declares: { login: elsewhere },
    },
  ],
  ['what stands before its routes', agent({ prefix: '@vendor.example' })],
  ['what is read of it', tool({ declares: { logs: ['/vendor.example/passwd'] } })],
])('does not lead to its vendor by %s', async (_, settings) => {
  expect(await again(settings)).not.toContain('vendor.example')
})

test('says whose part it is to name what is missing', async () => {
  const consent = { begin: elsewhere, complete: elsewhere }
  await expect(again(agent({ consent }))).rejects.toMatchObject({
    message: expect.stringContaining('api.consent.begin'),
    hints: expect.arrayContaining([expect.stringContaining('never from a bundle')]),
  })
})

test('takes what a list says of places from its own configuration', async () => {
  const settings = runtime({
    messages: { http: { path: '@vendor.example/say' } },
    surface: [{ poll: { path: '.vendor.example/seen', headers: { key: '{env.HOME}' } } }],
  })
  await expect(again(settings)).rejects.toThrow('surface')
  const config = join(scratch(), 'mine.json')
  const own = { target: { url: here }, messages: { http: { path: '/say' } } }
  writeFileSync(config, JSON.stringify({ ...own, surface: [{ poll: { path: '/seen' } }] }))
  expect(await again(settings, { config })).not.toContain('vendor.example')
})

test('puts nothing of this machine into what is sent', async () => {
  const body = { text: '{text}', key: '{env.HOME}' }
  const http = { path: '/say/{env.PATH}', body }
  const settings = runtime({ messages: { http } })
  await expect(again(settings)).rejects.toThrow('messages')
})

test('is otherwise what was certified', async () => {
  const settings = tool({
    target: { ...at.target, endpoint: '/invoke' },
    operation: { arguments: { link: 'http://data.example' }, scopes: ['https://scope.example/a'] },
  })
  const made = await again(settings)
  for (const kept of ['"/invoke"', 'data.example', 'scope.example/a', here]) {
    expect(made).toContain(kept)
  }
  await expect(again(settings, { endpoint: '/other' })).rejects.toMatchObject({
    hints: ['target.endpoint: certified with "/invoke", here "/other"'],
  })
})

/** The names of all settings that their description or option calls a place. */
function placesIn(schema: unknown, name = ''): string[] {
  const { properties, anyOf, items, description, flag } = schema as Record<string, unknown>
  const said = `${String(description)} ${String(flag)}`
  const own = /absolute|relative|\borigin\b|<(url|path|dir|file)>|\b(file|folder|route)s?\b/i
  return [
    ...(name !== '' && own.test(said) ? [name] : []),
    ...Object.entries((properties as object) ?? {}).flatMap(([key, each]) => placesIn(each, key)),
    ...((anyOf as unknown[]) ?? []).flatMap((each) => placesIn(each)),
    ...(items === undefined ? [] : placesIn(items)),
  ]
}

/** What lies within is looked at by itself. */
const containers = ['consent', 'resources']

test.each(profiles.map((profile) => [profile.id, profile] as const))(
  'every setting of %s that is a place is known as one',
  (_, { configuration }) => {
    const found = placesIn(z.toJSONSchema(configuration, { io: 'input', unrepresentable: 'any' }))
    expect(found).toContain('url')
    const known = [...local, ...places, ...containers]
    expect(found.filter((name) => !known.includes(name))).toEqual([])
  },
)
