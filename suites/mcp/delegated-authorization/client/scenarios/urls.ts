/** URLs of which a careful client says more, or which it refuses. */

import { NotOffered } from '../../../../../harness/engine/index.ts'
import { opensWhole, showsDomainOrRefuses } from '../prompts.ts'
import { check, control, ofCall, scenario } from './define.ts'

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
  checks: [
    check(
      'mcp-delegated-authorization/client/open-complete-url',
      'opens it as it is',
      ofCall(opensWhole),
    ),
  ],
})

/** What stands before the @ is no host (RFC 3986 §3.2.1). */
const disguised =
  'https://accounts.good.example@signin.evil.example/authorize?response_type=code&client_id=items&state=own'

const domainBehindUser = scenario({
  id: 'domain-behind-user',
  title: 'the host of the URL stands behind another name and an @',
  control,
  async drive({ begin, observe }) {
    const call = await begin()
    await call.ask({ url: disguised })
    const prompt = await call.shown()
    if (prompt) await call.decide('decline', prompt)
    await observe()
  },
  checks: [
    check(
      'mcp-delegated-authorization/client/show-domain',
      'shows where such a URL leads, or refuses it',
      showsDomainOrRefuses,
    ),
  ],
})

export const urlScenarios = [domainBehindUser, urlForShell]
