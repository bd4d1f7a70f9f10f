/** The container recipe and the compose file; provider-package.self.test.ts builds and runs what they describe. */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = new URL('../docs/examples/container/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')
const recipe = read('Containerfile')

test('the recipe has a user that is not root, a health check, and no shell to start it', () => {
  const instructions = [...recipe.matchAll(/^([A-Z]+) /gm)].map(([, name]) => name)
  expect(instructions).toEqual([
    'ARG',
    'FROM',
    'WORKDIR',
    'COPY',
    'RUN',
    'USER',
    'EXPOSE',
    'HEALTHCHECK',
    'ENTRYPOINT',
  ])
  expect(recipe).toMatch(/^USER [1-9]\d*:/m)
  for (const [, command] of recipe.matchAll(/(?:CMD|ENTRYPOINT) (.*)$/gm)) {
    expect(Array.isArray(JSON.parse(command!))).toBe(true)
  }
})

test('it installs what this repository publishes', () => {
  const { dependencies } = JSON.parse(read('package.json')) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  const own = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    readonly version: string
    readonly dependencies: Readonly<Record<string, string>>
  }
  expect(dependencies['agent-oauth-mock-provider']).toBe(own.version)
  expect(dependencies['@redis/client']).toBe(own.dependencies['@redis/client'])
})

test('the compose file starts two instances with one Redis that has to be well first', () => {
  const compose = read('compose.yaml')
  expect(compose).not.toContain('\t')
  expect(compose.match(/^ {2}\w+:/gm)).toEqual(['  redis:', '  provider:', '  second:'])
  expect(compose).toContain('--storage=redis://redis:6379/0')
  expect(compose).toContain('condition: service_healthy')
  for (const [port] of compose.matchAll(/'\S+:9400'/g)) expect(port).toMatch(/^'127\.0\.0\.1:/)
})

const hadolint = process.env['HADOLINT'] ?? 'hadolint'
test('hadolint has nothing to say', ({ skip }) => {
  skip(spawnSync(hadolint, ['--version']).error !== undefined, 'hadolint is not installed')
  const path = fileURLToPath(new URL('Containerfile', folder))
  const { stdout, status } = spawnSync(hadolint, ['--no-color', path], { encoding: 'utf8' })
  expect([stdout, status]).toEqual(['', 0])
})
