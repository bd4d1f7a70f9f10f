/**
 * What is not the callback comes to the listener before it. Some clients end the flow at the first request, so each kind
 * comes first in a scenario of its own.
 */

import { NotOffered, otherCase, Unreached } from '../../../../../harness/engine/index.ts'
import { agree, goThrough } from '../going-through.ts'
import { closesListenerOf, returnsGenuine, returnsGenuineOf } from '../returning.ts'
import type { Call, Callback } from '../session.ts'
import { check, control, scenario } from './define.ts'
import { namedPort } from './no-options.ts'

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
      { path: () => '/elsewhere' },
      { path: (own) => `${own}-of-another` },
      { path: (own) => `/elsewhere${own}` },
      { path: (own) => `${own}/elsewhere` },
      // RFC 3986 §6.2.2.1: a path is compared in its case.
      { path: otherCase },
      { path: () => '/favicon.ico', query: 'v=1' },
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
  [
    'stray-without-code',
    'callbacks with neither code nor error',
    // Whether an empty code is one is for the server to say.
    [{ query: 'state={state}' }, { query: 'state={state}&error_description=none&barcode=1' }],
  ],
]

async function straysFirst(call: Call, strays: readonly Callback[]): Promise<void> {
  for (const stray of strays) await call.comesBack(stray)
  await call.comesBack()
  await call.replied()
}

const byKind = kinds.map(([id, what, strays]) =>
  scenario({
    id,
    title: `${what} come to the listener before the genuine one`,
    control,
    async drive({ begin }) {
      const call = await begin()
      await agree(call)
      await straysFirst(call, strays)
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

/** One of each kind. */
const mixed: readonly Callback[] = [
  { state: () => 'another-state' },
  { path: () => '/elsewhere' },
  { query: 'error=access_denied&state=another-state' },
]

const laterStrays = scenario({
  id: 'stray-later',
  title:
    'they come to the listener in the second flow of a client, one with the state of the first',
  control,
  async drive({ begin, again }) {
    const first = await begin()
    await goThrough(first)
    await first.finish()
    const call = await again()
    await agree(call)
    // What a browser has in its history (RFC 9700 §4.2.4).
    await straysFirst(call, [{ state: () => first.state }, ...mixed])
    await call.closed()
  },
  checks: [
    check(
      'mcp-delegated-authorization/client/validate-callback',
      'returns only the callback of a later flow',
      returnsGenuineOf('call-2'),
    ),
    check(
      'mcp-delegated-authorization/client/clear-state',
      'closes the listener of a later flow',
      closesListenerOf('call-2'),
    ),
  ],
})

const straysWithoutOptions = scenario({
  id: 'stray-without-options',
  title: 'they come to the redirect URI of the URL, where no option is offered',
  control,
  needs: namedPort,
  async drive({ begin }) {
    const call = await begin()
    await agree(call, { options: null }).catch((error: unknown) => {
      if (!(error instanceof Unreached) || call.view().replies.length === 0) throw error
      throw new NotOffered('it does not listen at that port')
    })
    await straysFirst(call, mixed)
  },
  checks: [
    check(
      'mcp-delegated-authorization/client/validate-callback',
      'returns only the callback',
      returnsGenuine,
    ),
  ],
})

export const strayScenarios = [...byKind, laterStrays, straysWithoutOptions]
