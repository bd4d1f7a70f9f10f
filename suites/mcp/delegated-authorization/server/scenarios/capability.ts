import {
  cite,
  gaveUpAfter,
  inconclusive,
  pass,
  violation,
  watched,
} from '../../../../../harness/engine/index.ts'
import { unlessUnreached } from '../../../../oauth-client/scenarios/index.ts'
import { citeEvents } from '../../../../oauth-client/view.ts'
import { callOf } from '../view.ts'
import { check, control, scenario, type Judge } from './define.ts'

/** The call of the client that has not declared it: others come first. */
const without = 'call-3'

const asksNobody: Judge = (t, { control: twin }) => {
  const { asked, ended, request } = callOf(t, without)
  const [first] = asked
  if (first) {
    return violation(
      'a client that did not declare delegated_authorization was asked by auth/request',
      { expected: 'no auth/request', actual: 'one' },
      citeEvents(first),
    )
  }
  if (!request) return inconclusive('the tool was not called')
  if (watched(t) === undefined) return inconclusive('the run did not watch for one')
  if (!twin || callOf(twin).asked.length === 0)
    return inconclusive('no client was asked, not even one that declares it')
  // A server may get its authorization in another way, while the call waits.
  return pass('it did not ask', [...cite(request), ...citeEvents(ended[0])])
}

const endsWithout: Judge = (t, { timing }) => {
  const { asked, ended, request } = callOf(t, without)
  if (!request) return inconclusive('the tool was not called')
  if (ended[0]) return pass('the call ended', citeEvents(ended[0]))
  if (asked.length > 0) return inconclusive('it still asked', citeEvents(asked[0]))
  const waited = gaveUpAfter(t, without)
  if (waited === undefined || waited < timing.maxWaitMs)
    return inconclusive('the run did not wait for the end of the call')
  return violation(
    'a call that its client cannot help with never ends',
    { expected: 'a result or an error', actual: `nothing within ${waited} ms` },
    cite(request),
  )
}

export const noCapability = scenario({
  id: 'no-capability',
  title: 'the client has not declared delegated_authorization',
  control,
  async drive({ begin, user, newUser, observe }) {
    // Another client has: each session counts for itself.
    const other = begin(newUser('other'))
    await other.answered()
    // Also those of one user. One of their calls may have to wait for another.
    const own = begin(user)
    await own.refuse(() => own.decline()).catch(unlessUnreached)
    // Nor does it count that there are other capabilities.
    const call = begin(user, { capabilities: { experimental: {} } })
    await call.settle()
    await observe()
  },
  checks: [
    check('mcp-delegated-authorization/server/gate-capability', 'does not ask', asksNobody),
    check('mcp-delegated-authorization/server/degrade', 'ends the call', endsWithout),
  ],
})
