import { expect, test } from 'vitest'
import { ownName } from './own-name.ts'

test.each([
  ['/usr/local/bin/aoc', 'aoc'],
  ['/project/node_modules/.bin/aoc', 'npx aoc'],
  ['/project/node_modules/.bin/agent-oauth-conformance', 'npx agent-oauth-conformance'],
  ['/project/dist/cli/main.js', 'node dist/cli/main.js'],
  ['/elsewhere/dist/cli/main.js', 'node ../elsewhere/dist/cli/main.js'],
])('%s is called %s', (started, name) => {
  expect(ownName(started, '/project')).toBe(name)
})
