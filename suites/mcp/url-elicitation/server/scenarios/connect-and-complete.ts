import {
  cite,
  inconclusive,
  isAfter,
  pass,
  violation,
} from '../../../../../harness/engine/index.ts'
import { issuedGrant } from '../../../../oauth-client/view.ts'
import { bringsUrl, elicitationRequired } from '../../elicitation.ts'
import { undisturbedChecks } from '../../../../oauth-client/scenarios/index.ts'
import { handoff } from '../handoff.ts'
import { check, citeAskings, servedEnd, unlessModern } from '../checks.ts'
import { callOf } from '../view.ts'
import { completedAfterReturn } from './completion.ts'
import { scenario } from './define.ts'

export const connectAndComplete = scenario({
  id: 'connect-and-complete',
  title: 'the user agrees, authorizes, and the call completes; a second call follows',
  async drive({ begin, user, observe }) {
    const call = begin(user)
    await user.approve(call)
    await call.ended()
    const again = begin(user)
    await again.answered()
    await observe()
  },
  checks: [
    ...undisturbedChecks(handoff),
    check('mcp-url-elicitation/server/gate-mode', 'asks in the declared mode only', (t) => {
      const { askings } = callOf(t)
      const form = askings.find((asking) => !bringsUrl(asking))
      if (form) {
        return violation(
          'a client that did not declare form mode was asked to fill in a form',
          { expected: 'URL mode', actual: 'form mode' },
          citeAskings(form),
        )
      }
      if (askings.length === 0) return inconclusive('nothing was asked')
      return pass('it asked in URL mode', citeAskings(...askings))
    }),
    check(
      'mcp-url-elicitation/server/error-only-when-needed',
      'does not ask by an error for what it has',
      unlessModern((t) => {
        const first = servedEnd(t)
        if (!first) return inconclusive('no call was served')
        const { replies, askings, request } = callOf(t, 'call-2')
        const refused = replies.find(
          ({ message }) => message.kind === 'error' && message.code === elicitationRequired,
        )
        if (refused && isAfter(refused.event, first.event)) {
          return violation(
            'a user who had authorized was asked again by an error',
            { expected: 'the result, or anything but -32042', actual: 'the error -32042' },
            cite(first.event, refused.event),
          )
        }
        const answer = replies[0]?.event ?? askings[0]?.frame.event
        if (!request || !answer) return inconclusive('the second call was not answered')
        return pass('the second call got no such error', cite(first.event, answer))
      }),
    ),
    check(
      'mcp-url-elicitation/server/complete-after',
      'says that it is complete when it is',
      unlessModern(
        completedAfterReturn((t) => {
          const grant = issuedGrant(callOf(t))
          return grant ? cite(grant) : 'no token was issued'
        }),
      ),
    ),
  ],
})
