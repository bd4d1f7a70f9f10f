import {
  cite,
  gaveUpAfter,
  inconclusive,
  isAfter,
  pass,
  show,
  violation,
} from '../../../../../harness/engine/index.ts'
import { issuedGrant, mayHaveTimedOut } from '../../../../oauth-client/view.ts'
import { check, type Judge } from '../checks.ts'
import { needsModern } from '../conditions.ts'
import { callOf, type CallView } from '../view.ts'
import { scenario } from './define.ts'
import { modernRevision } from './modern.ts'

/** Whether the retry was answered, too. */
function isAnswered({ attempts, replies }: CallView): boolean {
  return attempts.length > 1 && replies.length === attempts.length
}

/** What is missing need not be needed: who waits for the user anyway asks for nothing more. */
const asksAgain: Judge = (t, { declared }) => {
  const call = callOf(t)
  const [first, retry] = call.attempts
  if (!first || !retry) return inconclusive('the call was not tried again')
  const answer = call.replies.find(({ event }) => isAfter(event, retry.event))
  if (!answer) {
    const waited = gaveUpAfter(t, 'call-1')
    return inconclusive(
      `the retry was not answered${waited === undefined ? '' : ` within ${waited} ms`}`,
    )
  }
  const [ended] = call.ended
  if (!ended) return pass('it asks again', cite(retry.event, answer.event))
  if (!ended.error) return pass('it was no error', cite(retry.event, ended.event))
  const grant = issuedGrant(call)
  if (grant && isAfter(ended.event, grant))
    return inconclusive('the call failed when its user had authorized', cite(grant, ended.event))
  if (mayHaveTimedOut(call, ended.event, declared.pendingTimeoutMs))
    return inconclusive('the pending timeout may have ended it', cite(retry.event, ended.event))
  return violation(
    'a retry without the input was answered by an error',
    { expected: 'an input_required result', actual: show(ended.text) },
    cite(retry.event, ended.event),
  )
}

export const missingInput = scenario({
  id: 'missing-input',
  title: 'the retry lacks what was asked for, on revision 2026-07-28',
  control: 'modern',
  notApplicable: needsModern,
  async drive({ begin, user, observeWhilePending, oauthClient }) {
    const call = begin(user, { revision: modernRevision })
    await call.awaitUrl()
    await call.retry({ inputResponses: undefined })
    await observeWhilePending()
    if (oauthClient && !isAnswered(call.view())) await user.approve(call)
    await call.waitUntil('no answer to the retry', isAnswered)
  },
  checks: [check('mcp-url-elicitation/server/ask-again', 'asks for it again', asksAgain)],
})
