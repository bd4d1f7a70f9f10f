import { expect, test } from 'vitest'
import { options, recording } from '../testing.ts'
import { scopesInRun } from './scopes-in-run.ts'

const asking = (scopes: readonly string[], tool = 'list_items', written = recording()) =>
  written.begin('user-1', tool).model([], tool).authorizationRequest('s', { scopes })

const needed = { scopes: ['items:read'], tool: 'list_items' }

test.each([
  ['pass', asking(['items:read'], 'list_items', asking(['items:read', 'openid']))],
  ['pass', asking(['notes:read'], 'list_notes', asking(['items:read']))],
  ['violation', asking(['items:read', 'items:write'], 'list_items', asking(['items:read']))],
  ['inconclusive', recording().begin()],
  ['inconclusive', asking([])],
])('the scopes of every request: %s', (expected, t) => {
  const context = options.context(needed, undefined)
  expect(scopesInRun.judge(t.transcript, context).outcome).toBe(expected)
})

test('what is not declared is not compared', () => {
  const context = options.context({ ...needed, scopes: undefined }, undefined)
  expect(scopesInRun.judge(asking(['x']).transcript, context).outcome).toBe('not-applicable')
})
