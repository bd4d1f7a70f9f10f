import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { buildLines, installed, installLines } from './install.ts'
import { readRecipes, type Recipe } from './recipe.ts'

const cache = mkdtempSync(join(tmpdir(), 'aoc-cache-'))
const recipe = readRecipes()[0]!
const of = (install: Recipe['install']): Recipe => ({ ...recipe, install })

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(cache, { recursive: true, force: true })
})

test('a program in Go or Rust is built after the package that it wires', () => {
  const go = of({ go: ['example.com/sdk/mcp@v1.2.3'] })
  expect(installLines(go)).toContainEqual(['go', 'get', 'example.com/sdk/mcp@v1.2.3'])
  expect(buildLines(go)).toEqual([['go', 'build', '-o', 'bin/', './...']])
  expect(buildLines(of({ cargo: ['sdk@1.2.3'] }))).toEqual([['cargo', 'build', '--quiet']])
  expect(buildLines(of({ npm: ['sdk@1.2.3'] }))).toEqual([])
})

test('a tool that is missing is named', () => {
  vi.stubEnv('XDG_CACHE_HOME', cache)
  vi.stubEnv('PATH', cache)
  expect(() => installed(of({ go: ['example.com/sdk/mcp@v1.2.3'] }))).toThrow(
    'go is not installed here',
  )
})
