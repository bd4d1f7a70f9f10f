/** Callbacks that are faster than the acknowledgement of their invocation. */

import { check } from '../judges/check.ts'
import { deliversOnce, deliversResult } from '../judges/given-results.ts'
import { invokesOnce } from '../judges/pending-calls.ts'
import { surfacesUrl } from '../judges/shown-urls.ts'
import { textResult } from '../vocabulary.ts'
import { controls, goOn, scenario } from './define.ts'
import { heldBack } from './held-back.ts'

const byOAuth = scenario({
  id: 'callback-before-acknowledgement',
  title: 'the oauth message arrives before the acknowledgement',
  control: controls.oauth,
  async drive({ converse, observe }) {
    const { held, release } = heldBack<number>()
    const call = converse().ask({ acknowledge: () => held })
    await call.awaitInvocation()
    const [oauth] = await Promise.all([call.oauth(), observe(() => release(200))])
    const surfaced = await goOn(call.awaitSurfaced(oauth))
    await call.awaitGiven(await call.result())
    surfaced()
  },
  checks: [
    check('rap-oauth/runtime/surface-auth-url', 'still shows the URL', surfacesUrl()),
    check('rap-oauth/runtime/deliver-result', 'gives the result to the model', deliversResult()),
    check(
      'rap-oauth/runtime/no-invocation-retry',
      'does not invoke again because the acknowledgement is missing',
      invokesOnce(),
    ),
  ],
})

const byResult = scenario({
  id: 'result-before-acknowledgement',
  title: 'the result arrives before the acknowledgement, and once more after it',
  control: controls.plain,
  async drive({ converse, observe }) {
    const { held, release } = heldBack<number>()
    const conversation = converse()
    const call = conversation.ask({ acknowledge: () => held })
    await call.awaitInvocation()
    const [result] = await Promise.all([call.result(), observe(() => release(200))])
    await call.awaitGiven(result)
    // By then the acknowledgement has arrived.
    await conversation.awaitModel(conversation.say())
    await call.deliver('result-again', { type: 'tool_result', ...textResult(result.token) })
    await observe()
    await conversation.awaitModel(conversation.say())
  },
  checks: [
    check('rap-oauth/runtime/deliver-result', 'gives the result to the model', deliversResult()),
    check(
      'rap-oauth/runtime/idempotent-duplicates',
      'gives it to the model once: the late acknowledgement does not open the call again',
      deliversOnce(),
    ),
  ],
})

export const overtakenScenarios = [byOAuth, byResult]
