/**
 * What is not the callback comes to the listener before it. Some clients end the flow at the first request, so each kind
 * comes first in a scenario of its own.
 */

import { otherCase } from '../../../../../harness/engine/index.ts'
import { returnsGenuine } from '../returning.ts'
import type { Callback } from '../session.ts'
import { check, control, scenario } from './define.ts'

/** A state is compared as it is (RFC 6749 §4.1.2). */
const otherStates: readonly Callback[] = [
  { state: () => 'another-state' },
  { state: (own) => `${own}x` },
  { state: (own) => own.slice(0, -1) },
  { state: otherCase },
]

const kinds: readonly (readonly [id: string, what: string, strays: readonly Callback[]])[] = [
  ['stray-callbacks', 'callbacks with other states', otherStates],
  [
    'stray-paths',
    'callbacks at other paths',
    [
      { path: '/elsewhere' },
      { path: '/callback-of-another' },
      { path: '/favicon.ico', query: 'v=1' },
    ],
  ],
  [
    'stray-errors',
    'callbacks with an error and another state',
    [{ query: 'error=access_denied&state=another-state' }, { query: 'error=access_denied' }],
  ],
  [
    'stray-without-state',
    'callbacks without state',
    [{ query: 'code={code}' }, { query: 'code={code}&state=' }],
  ],
  ['stray-without-code', 'a callback with neither code nor error', [{ query: 'state={state}' }]],
]

export const strayScenarios = kinds.map(([id, what, strays]) =>
  scenario({
    id,
    title: `${what} come to the listener before the genuine one`,
    control,
    async drive({ begin }) {
      const call = await begin()
      await call.ask()
      await call.prompted()
      await call.accept()
      for (const stray of strays) await call.comesBack(stray)
      await call.comesBack()
      await call.replied()
    },
    checks: [
      check(
        'mcp-delegated-authorization/client/validate-callback',
        'returns only the callback',
        returnsGenuine,
      ),
    ],
  }),
)
