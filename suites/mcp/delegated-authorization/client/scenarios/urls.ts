/** URLs of which a careful client says more, or which it refuses. */

import { NotOffered } from '../../../../../harness/engine/index.ts'
import { goThrough } from '../going-through.ts'
import { opensWhole, showsOrRefuses } from '../prompts.ts'
import { check, control, ofCall, scenario } from './define.ts'

const opensAsItIs = check(
  'mcp-delegated-authorization/client/open-complete-url',
  'opens it as it is',
  ofCall(opensWhole),
)

/** A path as any other (RFC 3986 §3.3), of which a shell makes another one; who is careful may refuse it. */
const urlForShell = scenario({
  id: 'url-for-a-shell',
  title: 'the path of the URL holds what a shell would carry out',
  control,
  needs: { what: 'a prompt for a URL with $() in its path', seen: () => undefined },
  async drive({ begin }) {
    const call = await begin()
    await call.ask({ pathEnd: '$(echo)' })
    if ((await call.settled()) !== 'prompted') throw new NotOffered('it was refused')
    await call.accept()
    await call.comesBack()
    await call.replied()
    await call.finish()
  },
  checks: [opensAsItIs],
})

/** A slash that is escaped delimits nothing (RFC 3986 §2.2): where it is not, the path leads elsewhere. */
const escapedPath = scenario({
  id: 'url-with-escaped-path',
  title: 'the path of the URL has an escaped slash and an escaped percent sign',
  control,
  async drive({ begin }) {
    const call = await begin()
    await goThrough(call, { pathEnd: '/tenants%2Fone/100%25' })
    await call.finish()
  },
  checks: [opensAsItIs],
})

/** What stands before the @ is no host (RFC 3986 §3.2.1). */
const behindUser =
  'https://accounts.good.example@signin.evil.example/authorize?response_type=code&client_id=items&state=own'

/** Nor is what stands behind an @ of the path or of the query (§3.3, §3.4). */
const withAtBehind =
  'https://signin.evil.example/@accounts.good.example/authorize?response_type=code&client_id=items&login_hint=mary@accounts.good.example&state=own'

/** As long as a name may be (RFC 1035 §2.3.4): whoever has no room for all of it must not leave out whose it is. */
const longHost = [
  'accounts.good.example.authorize',
  ...Array.from({ length: 6 }, (_, nth) => `sign-in-to-your-account-${nth}`),
  'evil.example',
].join('.')
const ofLongHost = `https://${longHost}/authorize?response_type=code&client_id=items&state=own`

const disguised = [
  [
    'domain-behind-user',
    'the host of the URL stands behind another name and an @',
    behindUser,
    'signin.evil.example',
  ],
  [
    'domain-before-at',
    'path and query of the URL have an @ with another name behind it',
    withAtBehind,
    'signin.evil.example',
  ],
  [
    'domain-of-long-host',
    'the name of the host is long, and begins like another one',
    ofLongHost,
    'evil.example',
  ],
] as const

const disguisedDomains = disguised.map(([id, title, url, domain]) =>
  scenario({
    id,
    title,
    control,
    async drive({ begin, observe }) {
      const call = await begin()
      await call.ask({ url })
      const prompt = await call.shown(domain)
      if (prompt) await call.decide('decline', prompt)
      await observe()
    },
    checks: [
      check(
        'mcp-delegated-authorization/client/show-domain',
        'shows where such a URL leads, or refuses it',
        showsOrRefuses(domain),
      ),
    ],
  }),
)

export const urlScenarios = [...disguisedDomains, urlForShell, escapedPath]
