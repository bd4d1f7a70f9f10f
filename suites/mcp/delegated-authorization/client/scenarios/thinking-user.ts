import { opensAsAgreed } from '../prompts.ts'
import { check, control, ofCall, scenario } from './define.ts'

/** A prompt that is left alone may be given up, or shown once more; it is no consent. */
export const thinkingUser = scenario({
  id: 'thinking-user',
  title: 'the user takes their time, and says nothing',
  control,
  async drive({ begin, silence }) {
    const call = await begin()
    await call.ask()
    await call.prompted()
    await silence()
  },
  checks: [
    check(
      'mcp-delegated-authorization/client/consent-before-opening',
      'opens nothing while its user thinks about it',
      ofCall(opensAsAgreed),
    ),
  ],
})
