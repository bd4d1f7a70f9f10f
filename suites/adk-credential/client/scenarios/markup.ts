/** What the page of a callback prints of it (RFC 6749 §10.14). */

import { address, escapes, isProbe, markup } from '../../../oauth-client/scenarios/index.ts'
import { check } from '../checks.ts'
import type { Declared } from '../configuration.ts'
import { control, scenario } from './define.ts'

const needsPages = ({ ownBrowser }: Declared): string | undefined =>
  ownBrowser ? 'callbacks are loaded in a browser of its own, whose pages nobody sees' : undefined

const denial = { code: undefined, error: 'access_denied' }

/** One callback each: whoever listens for one does not answer another. */
const callbacks = [
  [
    'markup-in-description',
    'the description of an error',
    { ...denial, error_description: markup },
  ],
  ['markup-in-error', 'an error and its URI', { ...denial, error: markup, error_uri: address }],
  ['markup-in-state', 'a state', { ...denial, state: markup }],
  ['markup-in-issuer', 'an issuer', { iss: markup }],
] as const

export const markupScenarios = callbacks.map(([id, what, changes]) =>
  scenario({
    id,
    title: `a callback with ${what} that is markup`,
    control,
    notApplicable: needsPages,
    async drive({ open }) {
      const client = await open()
      const call = await client.begin()
      await call.loadAltered(await call.decide(), changes)
    },
    checks: [
      check('oauth-client/escape-pages', 'escapes what it prints of it', (t) =>
        escapes(t, 1, isProbe),
      ),
    ],
  }),
)
