/** The URL refers to a request that the server has pushed (RFC 9126 §4): its client knows neither redirect URI nor state. */

import {
  inconclusive,
  NotOffered,
  Unreached,
  type Need,
} from '../../../../../harness/engine/index.ts'
import { returnsAll } from '../returning.ts'
import { callOf } from '../view.ts'
import { check, control, scenario, type Judge } from './define.ts'

/** Whether clients have to do such requests is open; who listens for the callback has to return it. */
const following: Need = {
  what: 'a callback to a request that was pushed',
  seen: () => undefined,
}

const returnsPushed: Judge = (t, context) => {
  const [reply] = callOf(t).replies
  return reply && typeof reply.url !== 'string'
    ? inconclusive('the client does not do requests that were pushed')
    : returnsAll(t, context)
}

export const pushedRequest = scenario({
  id: 'pushed-request',
  title: 'the URL has nothing but client_id and request_uri; one redirect URI is offered',
  control,
  needs: following,
  async drive({ begin }) {
    const call = await begin()
    await call.ask({ pushed: true, options: [call.redirectUri] })
    const isRefused = () => call.view().replies.some(({ url }) => typeof url !== 'string')
    try {
      await call.prompted()
      await call.accept()
      await call.comesBack()
      await call.replied()
    } catch (error) {
      if (!(error instanceof Unreached) || !isRefused()) throw error
    }
    if (isRefused()) throw new NotOffered('it answered without a callback')
  },
  checks: [
    check(
      'mcp-delegated-authorization/client/callback-exact',
      'returns the callback, whatever its state',
      returnsPushed,
    ),
  ],
})
