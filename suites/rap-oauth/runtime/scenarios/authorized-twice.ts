/** The user of one conversation is asked for authorization in a turn, and once more in the next. */

import { byResult, forgetsUrls } from '../forgetting.ts'
import { check } from '../judges/check.ts'
import { deliversOnce, deliversResult, resultForRightCall } from '../judges/given-results.ts'
import { keepsPending } from '../judges/pending-calls.ts'
import { surfacesUrl } from '../judges/shown-urls.ts'
import type { Conversation } from '../session.ts'
import { controls, goOn, scenario } from './define.ts'

export const authorizedTwice = scenario({
  id: 'authorized-twice',
  title: 'a conversation whose second call needs authorization, as the first did',
  control: controls.oauth,
  async drive({ converse, observe }) {
    const conversation = converse()
    const first = await authorizeOnce(conversation)
    first()
    const second = await authorizeOnce(conversation, observe)
    await observe()
    second()
  },
  checks: [
    check(
      'rap-oauth/runtime/surface-auth-url',
      'shows the second URL to the user as well',
      surfacesUrl('oauth', 'call-2'),
    ),
    check(
      'rap-oauth/runtime/keep-call-pending',
      'keeps the second call pending',
      keepsPending({ call: 'call-2' }),
    ),
    check(
      'rap-oauth/runtime/deliver-result',
      'gives the result of the second call to the model',
      deliversResult('result', 'call-2'),
    ),
    check(
      'rap-oauth/runtime/deliver-result-once',
      'gives it to the model once',
      deliversOnce('result', 'call-2'),
    ),
    check(
      'rap-oauth/runtime/result-for-right-call',
      'gives it to the model as the answer to the second call',
      resultForRightCall('result', 'call-2'),
    ),
    check(
      'rap-oauth/runtime/discard-auth-url',
      'sends nothing of the first URL with the second call',
      forgetsUrls(byResult),
    ),
  ],
})

/** A turn from its question to the result; `pending` goes on while its user is asked. Gives what {@link goOn} does. */
async function authorizeOnce(
  conversation: Conversation,
  pending: () => Promise<unknown> = async () => undefined,
): Promise<() => void> {
  const call = conversation.ask()
  await call.awaitInvocation()
  const surfaced = await goOn(call.awaitSurfaced(await call.oauth()))
  await pending()
  await call.awaitGiven(await call.result())
  return surfaced
}
