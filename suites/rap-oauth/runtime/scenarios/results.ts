/** Results that are special: an empty one, a large one, and an error in place of what was waited for. */

import {
  cite,
  inconclusive,
  NotOffered,
  pass,
  violation,
} from '../../../../harness/engine/index.ts'
import { acceptsCallback, answerText, notDelivered, reached } from '../judges/answers.ts'
import { check } from '../judges/check.ts'
import { deliversResult } from '../judges/given-results.ts'
import { invokesOnce } from '../judges/pending-calls.ts'
import { textResult, waits, type Fields } from '../vocabulary.ts'
import { byResult, forgetsUrls } from '../forgetting.ts'
import { askedAfter } from '../model-input.ts'
import { callOf, delivered, waitedInVain } from '../view.ts'
import { controls, goOn, scenario } from './define.ts'
import { noCallId } from './needs.ts'
import { pixel } from './result-forms.ts'

const emptyResult = scenario({
  id: 'empty-result',
  title: 'a result whose text is empty',
  control: controls.plain,
  async drive({ converse }) {
    const call = converse().ask()
    await call.awaitInvocation()
    await call.awaitTurnAfter(await call.result('result', () => ({ text: '' })))
  },
  checks: [
    check('rap-oauth/runtime/deliver-result', 'goes on with an empty result', (t) => {
      const result = delivered(t, 'result')
      if (!result?.request || !reached(result)) return notDelivered(result, 'tool_result')
      const asked = askedAfter(t, callOf(t), result)
      if (asked) return pass('the model was asked', cite(result.request, asked.step))
      const waited = waitedInVain(t, waits.given)
      if (waited === undefined)
        return inconclusive('the run did not wait for it', cite(result.request))
      return violation(
        'a tool_result whose text is empty did not end the call: an empty text is a text',
        {
          expected: 'a request to the model',
          actual: `none within ${waited} ms after its answer (${answerText(result)})`,
        },
        cite(result.request, result.answer),
      )
    }),
  ],
})

const otherCallId = scenario({
  id: 'result-with-other-call-id',
  title:
    'a result with a call_id of null where the invocation had none, or without it where it was null',
  control: controls.plain,
  needs: noCallId,
  async drive({ converse }) {
    const call = converse().ask()
    await call.awaitInvocation()
    const { sent } = call.seen()
    // RAP Tool Result, Fields: what was sent has to come back, and nothing was.
    if (typeof sent['call_id'] === 'string') throw new NotOffered('it sends a call_id')
    const call_id = 'call_id' in sent ? undefined : null
    const fields = (token: string): Fields => ({ ...textResult(token), call_id })
    await call.awaitGiven(await call.result('result', fields))
  },
  checks: [
    check('rap-oauth/runtime/deliver-result', 'gives the result to the model', deliversResult()),
  ],
})

/** Bytes of an image as tools read them from files; in base64 a third more. */
const imageBytes = 150_000

const largeResult = scenario({
  id: 'large-result',
  title: 'a result with an image of 150 kilobytes',
  control: controls.plain,
  async drive({ converse }) {
    const call = converse().ask()
    await call.awaitInvocation()
    const image = [Buffer.from(pixel, 'base64'), Buffer.alloc(imageBytes)]
    const data = Buffer.concat(image).toString('base64')
    await call.awaitGiven(
      await call.result('result', (token) => ({
        content: [
          { type: 'text', text: `Read image file "attic.png" (${token}).` },
          { type: 'image', data, mediaType: 'image/png' },
        ],
      })),
    )
  },
  checks: [
    check(
      'rap-oauth/runtime/accept-valid-callback',
      'accepts a result with an image',
      acceptsCallback('result'),
    ),
  ],
})

const deniedResult = scenario({
  id: 'error-after-oauth',
  title: 'an error as the result of a call that waited for its user',
  control: controls.oauth,
  async drive({ converse, observe, scanStorage }) {
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    const oauth = await call.oauth()
    const surfaced = await goOn(call.awaitSurfaced(oauth))
    const denied = (token: string): Fields => ({
      text: `Error: the authorization was denied by the user (${token}).`,
    })
    const given = await goOn(call.awaitGiven(await call.result('result', denied)))
    await observe()
    await conversation.awaitModel(conversation.say())
    await scanStorage([oauth.token])
    surfaced()
    given()
  },
  checks: [
    check('rap-oauth/runtime/deliver-result', 'gives the error to the model', deliversResult()),
    check(
      'rap-oauth/runtime/no-invocation-retry',
      'does not invoke again because of the error',
      invokesOnce(),
    ),
    check(
      'rap-oauth/runtime/discard-auth-url',
      'keeps nothing of the URL when the call has failed',
      forgetsUrls(byResult, { scanned: true }),
    ),
  ],
})

export const resultScenarios = [emptyResult, otherCallId, largeResult, deniedResult]
