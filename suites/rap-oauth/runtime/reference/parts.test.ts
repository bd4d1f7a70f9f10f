import { afterEach, beforeEach, expect, test } from 'vitest'

import { createWorld, type World } from './fixtures/world.ts'
import { defaultParts, type Parts } from './parts.ts'

let world: World

beforeEach(() => {
  world = createWorld()
})
afterEach(() => world.end())

const url = 'https://auth.example/authorize?b=%7e&state=1'

/** One authorized call, its result delivered twice; what could be seen of it. */
async function observe(parts: Partial<Parts>) {
  world.start({}, parts)
  const [call] = await world.invoke()
  if (!call) throw new Error('no call')
  await world.oauth(call, url)
  const links = await world.links('c1')
  await world.result({ ...call, group_id: 'c2' }, 'forged')
  await world.result(call, 'result')
  await world.result(call, 'result')
  await world.say('c1', 'next')
  const { messages } = await world.asked('next')
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
  return { links, results, kept: world.disk().includes(url) }
}

const { surfaceAuthUrl, matchCallback } = defaultParts
const right = { links: [url], results: ['result'], kept: false }

const replaced: [string, Partial<Parts>, Partial<typeof right>][] = [
  ['nothing', {}, {}],
  [
    'surfaceAuthUrl',
    {
      surfaceAuthUrl: (call, authUrl) => ({
        ...surfaceAuthUrl(call, authUrl),
        url: authUrl.split('&', 1).join(),
      }),
    },
    { links: ['https://auth.example/authorize?b=%7e'] },
  ],
  ['forgetAuthUrl', { forgetAuthUrl: () => {} }, { kept: true }],
  ['isUsableUrl', { isUsableUrl: () => false }, { links: [] }],
  [
    'interpretCallback',
    { interpretCallback: () => ({ kind: 'settle', text: 'Please authorize.' }) },
    { links: [], results: ['Please authorize.'] },
  ],
  [
    'matchCallback',
    { matchCallback: () => 'accepted' },
    { results: ['forged', 'result', 'result'] },
  ],
  [
    'matchCallback, for repetitions',
    {
      matchCallback: (message, call) =>
        matchCallback(message, call && { ...call, state: 'pending', authUrl: null }),
    },
    { results: ['result', 'result'] },
  ],
  [
    'injectResult',
    { injectResult: (store, call, text) => store.addResult(call.seq, `${text}: ${call.authUrl}`) },
    { results: [`result: ${url}`], kept: true },
  ],
]

test.each(replaced)('%s can be replaced alone', async (_name, parts, difference) => {
  expect(await observe(parts)).toEqual({ ...right, ...difference })
})
