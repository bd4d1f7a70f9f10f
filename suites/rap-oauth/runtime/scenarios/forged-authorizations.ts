/** oauth messages that no tool of the call has sent: foreign ids, after the end, without a usable URL. */

import { anyName } from '../../../../harness/engine/index.ts'
import { check } from '../judges/check.ts'
import { refusesProperly } from '../judges/answers.ts'
import { showsNothingOf, surfacesUrl } from '../judges/shown-urls.ts'
import { authUrl, type Fields } from '../vocabulary.ts'
import { controls, goOn, scenario } from './define.ts'
import { survives } from './forgery.ts'

const forgedAuthorizations: readonly (readonly [string, string, () => Fields])[] = [
  ['oauth-unknown-id', 'an oauth message with an unknown id', () => ({ id: anyName('call') })],
  [
    'oauth-unknown-group',
    'an oauth message with an unknown group_id',
    () => ({ group_id: anyName('group') }),
  ],
  ['oauth-missing-id', 'an oauth message without id', () => ({ id: undefined })],
]

const forgedOAuth = forgedAuthorizations.map(([id, title, fields]) =>
  scenario({
    id,
    title: `${title} while another is pending`,
    control: controls.oauth,
    async drive({ converse, observe }) {
      const call = converse().ask()
      await call.awaitInvocation()
      await call.awaitSurfaced(await call.oauth())
      await call.forgeOAuth('forged', fields())
      await observe()
      await call.awaitGiven(await call.result())
    },
    checks: [
      check(
        'rap-oauth/runtime/no-surface-without-call',
        `shows nothing of ${title}`,
        showsNothingOf('forged'),
      ),
    ],
  }),
)

const oauthAfterCompletion = scenario({
  id: 'oauth-after-completion',
  title: 'an oauth message for a call that has completed',
  control: controls.oauth,
  async drive({ converse, observe }) {
    const call = converse().ask()
    await call.awaitInvocation()
    await call.awaitSurfaced(await call.oauth())
    await call.awaitGiven(await call.result())
    await call.forgeOAuth('forged', {})
    await observe()
  },
  checks: [
    check(
      'rap-oauth/runtime/no-surface-without-call',
      'shows nothing of an oauth message for a call that has completed',
      showsNothingOf('forged'),
    ),
  ],
})

const urlOfWrongType = scenario({
  id: 'oauth-invalid-url-field',
  title: 'oauth messages without auth_url and with one of the wrong type, then a proper one',
  control: controls.oauth,
  async drive({ converse, observe }) {
    const call = converse().ask()
    await call.awaitInvocation()
    await call.deliver('missing', { type: 'oauth' })
    const token = call.token('url')
    await call.deliver('forged', { type: 'oauth', auth_url: [authUrl(token)] }, { token })
    await observe()
    const surfaced = await goOn(call.awaitSurfaced(await call.oauth()))
    await call.awaitGiven(await call.result())
    surfaced()
  },
  checks: [
    check('rap-oauth/runtime/surface-auth-url', 'still shows the proper URL', surfacesUrl()),
    check(
      'rap-oauth/runtime/reject-invalid-callback',
      'refuses or ignores an oauth message without auth_url',
      refusesProperly('missing'),
    ),
    check('rap-oauth/runtime/survive-malformed-callback', 'keeps the call', survives('forged')),
  ],
})

export const forgedAuthorizationScenarios = [...forgedOAuth, oauthAfterCompletion, urlOfWrongType]
