/** The user agrees, declines or denies, and what comes back to the client. */

import {
  declaresCapability,
  fetchesNothing,
  opensAsAgreed,
  opensOnce,
  opensWhole,
  showsDomain,
  showsMessage,
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

export const callbackScenarios = [declined, denied, oddCallback, listenerInterfaces]
