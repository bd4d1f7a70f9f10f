import { acceptsAfterConsentIn, check, opensAfterConsentIn } from '../checks.ts'
import { control, scenario } from './define.ts'

const second = 'call-2'

/** Whoever agreed to one URL of a server has agreed to no other. */
export const askedAgain = scenario({
  id: 'asked-again',
  title: 'the user agreed to one URL; the server asks for another, and the user says nothing',
  control,
  async drive({ open, observe }) {
    const client = await open()
    const call = await client.begin()
    await call.ask()
    await call.prompted()
    await call.accept()
    await call.replied()
    call.complete()
    await call.finish()
    const again = await client.begin()
    await again.ask()
    await again.settled()
    await observe()
  },
  checks: [
    check(
      'mcp-url-elicitation/client/consent-before-opening',
      'does not open another URL',
      opensAfterConsentIn(second),
    ),
    check(
      'mcp-url-elicitation/client/accept-after-consent',
      'does not accept another URL',
      acceptsAfterConsentIn(second),
    ),
  ],
})
