import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Unreachable } from '../../engine/scenario.ts'
import { loadHandler } from './load-handler.ts'

describe('a module inside this process', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'handler-'))
  })
  afterEach(() => rmSync(root, { recursive: true }))

  const environment = { 'tool.url': 'http://tool.test' }
  const load = (name: string, source: string) => {
    writeFileSync(join(root, name), source)
    return loadHandler(name, root, environment)
  }
  const get = async (handler: Awaited<ReturnType<typeof load>>) =>
    (await handler(new Request('http://tool.test/'))).text()

  test.each([
    ['a.mjs', 'export default () => new Response("function")', 'function'],
    [
      'b.mjs',
      'export default { name: "this", fetch() { return new Response(this.name) } }',
      'this',
    ],
    ['c.mjs', 'export const fetch = () => new Response("named")', 'named'],
    [
      'd.mjs',
      'export const create = (values) => () => new Response(values["tool.url"])',
      'http://tool.test',
    ],
    [
      'e.mjs',
      'export const create = async () => ({ text: "late", fetch() { return new Response(this.text) } })',
      'late',
    ],
    ['f.ts', 'const text: string = "typed"; export default () => new Response(text)', 'typed'],
  ])('is %s', async (name, source, text) => {
    expect(await get(await load(name, source))).toBe(text)
  })

  test.each([
    ['none.mjs', 'export const x = 1', 'exports neither a fetch handler nor create'],
    ['broken.mjs', 'throw new Error("oops")', 'oops'],
    ['syntax.ts', 'export default (', 'cannot load'],
  ])('that cannot be used is unreachable: %s', async (name, source, message) => {
    const loading = load(name, source)
    await expect(loading).rejects.toThrow(Unreachable)
    await expect(loading).rejects.toThrow(message)
  })

  test('that does not exist is unreachable', async () => {
    await expect(loadHandler('missing.ts', root, environment)).rejects.toThrow(Unreachable)
  })
})
