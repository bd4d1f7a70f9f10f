/** What a command loads is what its start-up costs: the tables need neither the provider nor a test bed. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runCli, scratch } from './run-cli.ts'

const hook = fileURLToPath(new URL('loaded-modules.mjs', import.meta.url))
const packages = ['hono', 'jose', 'msw', 'jiti', 'undici', 'tough-cookie', '@peculiar/x509']
const needless = [
  ...packages.map((name) => `node_modules/${name}/`),
  ...['mock-provider', 'mock-model', 'reports/record'].map((room) => `dist/${room}/`),
  '/test-bed.js',
]

test.each([
  [['list', 'profiles'], false],
  [['list', 'scenarios'], false],
  [['list', 'requirements'], false],
  [['explain', 'echo-call-id'], true],
])('%j loads what a table needs, with profiles: %s', async (args, profiles) => {
  const folder = scratch()
  const list = join(folder, 'loaded')
  const env = { NODE_OPTIONS: `--import ${hook}`, LOADED_MODULES: list }
  const { code } = await runCli(args, folder, { env })
  expect(code).toBe(0)
  expect(existsSync(list)).toBe(true)
  const files = readFileSync(list, 'utf8').trim().split('\n')
  const modules = files.filter((url) => url.startsWith('file:')).flatMap(modulesIn)
  expect(modules.some((module) => module.endsWith('/profile.js'))).toBe(profiles)
  expect(modules.filter((module) => needless.some((part) => module.includes(part)))).toEqual([])
  // Each of them costs about a millisecond.
  expect(files.length).toBeLessThan(60)
})

/** A program is put into few files (scripts/bundle.ts), in which each module begins with its name. */
function modulesIn(url: string): string[] {
  const names = readFileSync(fileURLToPath(url), 'utf8').matchAll(
    /^\/\/ ((?:dist|node_modules)\/\S+)$/gm,
  )
  return [...names].map(([, module]) => module!)
}
