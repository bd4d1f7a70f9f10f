import {
  acceptsAfterConsent,
  check,
  fetchesNothing,
  opensAfterConsent,
  opensExactly,
  sendsNoContent,
} from '../checks.ts'
import { declaresMode } from '../capabilities.ts'
import { needsTwoServers } from '../conditions.ts'
import { showsFullUrl, showsHost, showsMessage, showsServer } from '../prompts.ts'
import { control, scenario } from './define.ts'

export const accept = scenario({
  id: 'accept',
  title: 'the user agrees, the URL is opened, and the call completes; a second call follows',
  async drive({ open, observe }) {
    const client = await open()
    const call = await client.begin()
    await call.ask()
    await call.prompted()
    // What comes before consent comes now.
    await observe()
    await call.accept()
    await call.replied()
    // What the client does beside the browser comes now.
    await observe()
    call.complete()
    await call.finish()
    const again = await client.begin()
    await again.finish()
  },
  checks: [
    check('mcp-url-elicitation/client/declare-mode', 'declares URL mode', declaresMode),
    check(
      'mcp-url-elicitation/client/show-full-url',
      'shows the whole URL before consent',
      showsFullUrl,
    ),
    check('mcp-url-elicitation/client/show-host', 'shows where the URL leads', showsHost),
    check('mcp-url-elicitation/client/show-server', 'says which server asks', showsServer(0)),
    check('mcp-url-elicitation/client/show-message', 'shows why it asks', showsMessage),
    check(
      'mcp-url-elicitation/client/consent-before-opening',
      'opens the URL once its user has agreed',
      opensAfterConsent,
    ),
    check('mcp-url-elicitation/client/no-prefetch', 'fetches nothing itself', fetchesNothing),
    check('mcp-url-elicitation/client/open-exact-url', 'opens the very URL', opensExactly),
    check(
      'mcp-url-elicitation/client/accept-after-consent',
      'accepts once its user has agreed',
      acceptsAfterConsent,
    ),
    check(
      'mcp-url-elicitation/client/accept-without-content',
      'sends no content with it',
      sendsNoContent,
    ),
  ],
})

export const secondServer = scenario({
  id: 'second-server',
  title: 'another server asks, which the client knows as well',
  control,
  notApplicable: needsTwoServers,
  async drive({ open }) {
    const client = await open()
    const call = await client.begin({ server: 1 })
    await call.ask()
    await call.prompted()
    await call.accept()
    await call.replied()
    await call.finish()
  },
  checks: [
    check(
      'mcp-url-elicitation/client/show-server',
      'says which of two servers asks',
      showsServer(1),
    ),
  ],
})
