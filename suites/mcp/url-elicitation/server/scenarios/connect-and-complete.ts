import {
  cite,
  inconclusive,
  isAfter,
  pass,
  show,
  violation,
  type RecordedEvent,
} from '../../../../../harness/engine/index.ts'
import { issuedGrant, mayHaveTimedOut } from '../../../../oauth-client/view.ts'
import { bringsUrl } from '../../elicitation.ts'
import { undisturbedChecks } from '../../../../oauth-client/scenarios/index.ts'
import { handoff } from '../handoff.ts'
import {
  answeredWith,
  check,
  citeAskings,
  ofClients,
  servedEnd,
  unlessModern,
  type Judge,
} from '../checks.ts'
import { callOf } from '../view.ts'
import { completedAfterReturn } from './completion.ts'
import { scenario } from './define.ts'
import { onlyWhenNeeded } from './only-when-needed.ts'

/** A call that ends as soon as the client agrees may have it call again, but then the URL has to lead somewhere. */
const leavesTime: Judge = (t, { declared }) => {
  const call = callOf(t)
  const grant = issuedGrant(call)
  if (grant) return pass('its user could authorize', cite(grant))
  const accepted = answeredWith(t, call.name, 'accept')
  const ended = call.ended.find(({ event, error }) => !error && isAfter(event, accepted))
  const [visited] = t.steps('visited', call.name)
  if (!accepted || !ended || !isDead(visited)) return inconclusive('nobody has authorized')
  if (visited && mayHaveTimedOut(call, visited, declared.pendingTimeoutMs))
    return inconclusive('the pending timeout was over when the URL was opened', cite(visited))
  return violation(
    'the call ended without an error once its user had agreed, and the URL led nowhere',
    { expected: 'a page that leads to the provider', actual: show(visited?.detail) },
    cite(accepted, ended.event, visited),
  )
}

/** Whether a visit of the browser ended at a page that says that there is nothing. */
function isDead(visited: RecordedEvent | undefined): boolean {
  if (visited?.type !== 'step') return false
  return visited.detail['ended'] === 'page' && Number(visited.detail['status']) >= 400
}

export const connectAndComplete = scenario({
  id: 'connect-and-complete',
  title: 'the user agrees, authorizes, and the call completes; a second call follows',
  async drive({ begin, user, observe, oauthClient }) {
    const call = begin(user)
    if (!oauthClient) {
      await call.awaitUrl()
      await call.answer('accept')
      return observe()
    }
    await user.approve(call)
    await call.ended()
    const again = begin(user)
    await again.answered()
    await observe()
  },
  checks: [
    ...undisturbedChecks(handoff).map(ofClients),
    check('mcp-url-elicitation/server/gate-mode', 'asks in the declared mode only', (t) => {
      const { askings } = callOf(t)
      const form = askings.find((asking) => !bringsUrl(asking))
      if (form) {
        return violation(
          'the server sent a form to a client that did not declare form mode',
          { expected: 'URL mode', actual: 'form mode' },
          citeAskings(form),
        )
      }
      if (askings.length === 0) return inconclusive('nothing was asked')
      return pass('it asked in URL mode', citeAskings(...askings))
    }),
    check(
      'mcp-url-elicitation/server/accept-is-not-done',
      'leaves its user time to open the URL',
      leavesTime,
    ),
    onlyWhenNeeded(
      'does not ask by an error for what it has',
      (t) => servedEnd(t)?.event ?? 'no call was served',
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
