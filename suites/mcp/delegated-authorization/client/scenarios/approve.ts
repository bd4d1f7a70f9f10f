import { NotOffered, type Need } from '../../../../../harness/engine/index.ts'
import {
  asksAfterDecline,
  asksAgain,
  declaresCapability,
  fetchesNothing,
  opensAsAgreed,
  opensOnce,
  opensWhole,
  showsDomain,
  showsDomainOf,
  showsDomainOrRefuses,
  showsMessage,
  showsMessageOf,
} from '../prompts.ts'
import {
  closesListener,
  declinesEmpty,
  listensNoMore,
  listensOnLoopback,
  returnsAll,
  returnsBytes,
} from '../returning.ts'
import { loopbackOption } from '../vocabulary.ts'
import { check, control, ofCall, scenario } from './define.ts'

export const approve = scenario({
  id: 'approve',
  title: 'the user agrees, authorizes, and the client returns the callback URL',
  async drive({ begin, observe }) {
    const call = await begin()
    await call.ask()
    await call.prompted()
    // What comes before consent comes now.
    await observe()
    await call.accept()
    await call.comesBack()
    await call.replied()
    await call.closed()
    await call.finish()
  },
  checks: [
    check(
      'mcp-delegated-authorization/client/declare-capability',
      'declares the capability',
      declaresCapability,
    ),
    check(
      'mcp-delegated-authorization/client/show-domain',
      'shows where the URL leads',
      showsDomain,
    ),
    check('mcp-delegated-authorization/client/show-message', 'shows why it asks', showsMessage),
    check(
      'mcp-delegated-authorization/client/consent-before-opening',
      'opens the URL once its user has agreed',
      ofCall(opensAsAgreed),
    ),
    check(
      'mcp-delegated-authorization/client/open-complete-url',
      'opens the URL with every parameter',
      ofCall(opensWhole),
    ),
    check('mcp-delegated-authorization/client/open-once', 'opens it once', ofCall(opensOnce)),
    check(
      'mcp-delegated-authorization/client/no-own-request',
      'fetches nothing itself',
      ofCall(fetchesNothing),
    ),
    check('mcp-delegated-authorization/client/callback-exact', 'returns the callback', returnsAll),
    check('mcp-delegated-authorization/client/clear-state', 'closes the listener', closesListener),
  ],
})

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

/** What looks who listens may be taken for the browser: so nothing else is asked here. */
const listenerInterfaces = scenario({
  id: 'listener-interfaces',
  title: 'somebody looks where the client listens while the callback is awaited',
  control,
  async drive({ begin }) {
    const call = await begin()
    await call.ask()
    await call.prompted()
    await call.accept()
    await call.probe()
  },
  checks: [
    check(
      'mcp-delegated-authorization/client/loopback-only',
      'listens on the loopback address alone',
      listensOnLoopback,
    ),
  ],
})

const declined = scenario({
  id: 'decline',
  title: 'the user declines',
  control,
  async drive({ begin, observe }) {
    const call = await begin()
    // Whoever listens before consent does so where it is known.
    await call.ask({ options: [call.redirectUri, loopbackOption] })
    await call.prompted()
    await call.decide('decline')
    await call.replied()
    await observe()
    await call.closed()
  },
  checks: [
    check('mcp-delegated-authorization/client/clear-state', 'does not listen', listensNoMore),
    check('mcp-delegated-authorization/client/decline-empty', 'answers without url', declinesEmpty),
    check(
      'mcp-delegated-authorization/client/consent-before-opening',
      'opens nothing',
      ofCall(opensAsAgreed),
    ),
    check(
      'mcp-delegated-authorization/client/no-own-request',
      'fetches nothing itself',
      ofCall(fetchesNothing),
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

const askedAgain = scenario({
  id: 'asked-again',
  title: 'the user has agreed, and the server asks for another authorization',
  control,
  async drive({ begin, again, observe }) {
    const first = await begin()
    await first.ask()
    await first.prompted()
    await first.accept()
    await first.comesBack()
    await first.replied()
    await first.finish()
    const call = await again()
    await call.ask()
    await call.settled()
    await observe()
  },
  checks: [
    check(
      'mcp-delegated-authorization/client/consent-before-opening',
      'opens nothing by an earlier consent',
      asksAgain,
    ),
  ],
})

/** Another place than that of the first request, where nobody is: it is not opened. */
const elsewhere =
  'https://signin.other.example/authorize?response_type=code&client_id=items&state=own&redirect_uri=http%3A%2F%2F127.0.0.1%3A8000%2Fcallback'

/** A client may spare its user what comes after a decline. */
const laterRequest: Need = {
  what: 'a prompt after a decline',
  seen: () => undefined,
}

const askedAfterDecline = scenario({
  id: 'asked-after-decline',
  title: 'the user has declined, and the server asks for an authorization elsewhere',
  control,
  needs: laterRequest,
  async drive({ begin, again, observe }) {
    const first = await begin()
    await first.ask()
    await first.prompted()
    await first.decide('decline')
    await first.replied()
    await first.finish()
    const call = await again()
    await call.ask({ url: elsewhere, message: 'Please connect the shelves of the warehouse.' })
    await call.shown()
    await observe()
    const { prompts, opened, replies } = call.view()
    if (prompts.length === 0 && opened.length === 0 && replies.length > 0)
      throw new NotOffered('it refuses what comes after a decline')
  },
  checks: [
    check(
      'mcp-delegated-authorization/client/consent-before-opening',
      'opens nothing after a decline',
      asksAfterDecline,
    ),
    check(
      'mcp-delegated-authorization/client/show-domain',
      'shows where the later URL leads',
      showsDomainOf('call-2'),
    ),
    check(
      'mcp-delegated-authorization/client/show-message',
      'shows why it asks then',
      showsMessageOf('call-2'),
    ),
  ],
})

const denied = scenario({
  id: 'denied',
  title: 'the user agrees, and denies at the authorization server',
  control,
  async drive({ begin }) {
    const call = await begin()
    await call.ask()
    await call.prompted()
    await call.accept()
    const query = 'error=access_denied&error_description=User+denied+access&state={state}'
    await call.comesBack({ query })
    await call.replied()
    await call.closed()
  },
  checks: [
    check('mcp-delegated-authorization/client/clear-state', 'closes the listener', closesListener),
    check(
      'mcp-delegated-authorization/client/provider-error-returned',
      'returns the error',
      returnsAll,
    ),
  ],
})

/** Escapes in either case and of what needs none, blanks of both kinds, names that come twice, values that are empty. */
const odd =
  'iss=https%3A%2F%2Fas.example%2f%7Etenant&x=2&x=1&empty=&flag&code={code}&state={state}&note=%E2%82%AC+%20%26%3D%25&%5Bk%5D=a%2Bb'

const oddCallback = scenario({
  id: 'odd-callback',
  title: 'the callback has further parameters and odd escapes',
  control,
  async drive({ begin }) {
    const call = await begin()
    await call.ask()
    await call.prompted()
    await call.accept()
    await call.comesBack({ query: odd })
    await call.replied()
  },
  checks: [
    check(
      'mcp-delegated-authorization/client/callback-exact',
      'returns every parameter with its value',
      returnsAll,
    ),
    check(
      'mcp-delegated-authorization/client/callback-bytes',
      'returns it byte by byte',
      returnsBytes,
    ),
  ],
})

export const callbackScenarios = [
  declined,
  domainBehindUser,
  askedAgain,
  askedAfterDecline,
  denied,
  oddCallback,
  urlForShell,
  listenerInterfaces,
]
