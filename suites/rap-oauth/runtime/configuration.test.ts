import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { declaredBy, runtimeConfiguration } from './configuration.ts'

const started = { command: ['server'] }
const base = {
  profile: 'rap-oauth/runtime',
  target: started,
  messages: { http: { path: '/message' } },
  surface: [{ poll: { path: '/{conversation}' } }],
}
const parse = (changes: object) => runtimeConfiguration.safeParse({ ...base, ...changes })

describe('the configurations in the documentation', () => {
  const texts = ['certify-your-runtime.md', 'adapters.md'].flatMap((file) => {
    const text = readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8')
    return [...text.matchAll(/```json\n([^`]+)```/g)].map(([, json = '']) => json)
  })

  test('are complete', () => expect(texts.length).toBeGreaterThan(3))
  test.each(texts)('%#: can be used', (text) => {
    expect(runtimeConfiguration.safeParse(JSON.parse(text)).error).toBeUndefined()
  })
})

test.each([
  ['a runtime inside this process', { target: { module: './x.js' } }, 'target.module'],
  [
    'an adapter that runs already',
    { target: { url: 'http://x' }, messages: { adapter: true }, surface: [{ adapter: true }] },
    'target.command',
  ],
  [
    'the input of what runs already',
    { target: { url: 'http://x' }, messages: { stdin: true } },
    'messages.stdin',
  ],
  [
    'one port for every process of a console',
    { target: { ...started, url: 'http://127.0.0.1:80' }, messages: { stdin: true } },
    'target.url',
  ],
  ['the surface of no adapter', { surface: [{ adapter: true }] }, 'surface'],
  [
    'the response to a line',
    { messages: { stdin: true }, surface: [{ response: true }] },
    'surface',
  ],
  ['no surface', { surface: [] }, 'surface'],
])('%s is refused', (_, changes, path) => {
  const paths = parse(changes).error?.issues.map((issue) => issue.path.join('.'))
  expect(paths).toContain(path)
})

test.each([
  [{ poll: { path: '/{conversation}' } }, true],
  [{ poll: { path: '/{user}' } }, true],
  [{ poll: { path: '/all' } }, false],
  [{ webhook: true }, false],
  [{ output: true }, false],
  [{ response: true }, true],
])('%j tells users apart: %s', (surface, separate) => {
  const configuration = runtimeConfiguration.parse({ ...base, surface: [surface] })
  expect(declaredBy(configuration).separateSurfaces).toBe(separate)
})

test.each([
  [[{ response: true }], true],
  [[{ response: true }, { webhook: true }], false],
])('%j shows nothing but answers: %s', (surface, only) => {
  const configuration = runtimeConfiguration.parse({ ...base, surface })
  expect(declaredBy(configuration).answersOnly).toBe(only)
})

test.each([
  [[{ output: true }], ['stdout']],
  [[{ output: 'stderr' }], ['stderr']],
  [
    [{ output: true }, { output: 'stderr' }],
    ['stdout', 'stderr'],
  ],
  [[{ webhook: true }], []],
])('%j is what users see of its output: %j', (surface, sources) => {
  const configuration = runtimeConfiguration.parse({ ...base, surface })
  expect(declaredBy(configuration).outputSurfaces).toEqual(sources)
})

test('a console tells users apart, because each has a process', () => {
  const messages = { stdin: true }
  const configuration = runtimeConfiguration.parse({
    ...base,
    messages,
    surface: [{ output: true }],
  })
  expect(declaredBy(configuration).separateSurfaces).toBe(true)
})
