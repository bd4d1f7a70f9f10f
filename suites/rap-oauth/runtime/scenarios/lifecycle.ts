/** What may happen to a call while it is pending: cancellation and a restart; and what is left of it. */

import {
  cite,
  inconclusive,
  notApplicable,
  pass,
  violation,
  type Transcript,
} from '../../../../harness/index.ts'
import type { Declared } from '../configuration.ts'
import {
  check,
  deliversOnce,
  invokesOnce,
  resultForRightCall,
  deliversResult,
  type Judge,
} from '../checks.ts'
import { textResult } from '../session.ts'
import { firstGiven } from '../told.ts'
import { callOf, delivered, isAfter, watchedAfter } from '../view.ts'
import { controls, goOn, scenario } from './define.ts'

const cancelled = scenario({
  id: 'cancelled-while-pending',
  title: 'the user interrupts while authorization is pending, then a late result arrives',
  control: controls.oauth,
  notApplicable: ({ cancels }: Declared) =>
    cancels ? undefined : 'no way to interrupt is declared (declares.cancel)',
  async drive({ converse, observe }) {
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    await call.awaitSurfaced(await call.oauth())
    await conversation.cancel()
    await observe()
    const token = call.token('forged')
    await call.deliver('late', { type: 'tool_result', ...textResult(token) }, { token })
    await observe()
    await conversation.awaitModel(conversation.say())
  },
  checks: [
    check('rap-oauth/runtime/notify-cancellation', 'notifies the tool', (t) => {
      const [cancel] = t.steps('cancel')
      const { sent } = callOf(t)
      if (!cancel) return inconclusive('nothing was cancelled')
      const refusal = refusedCancel(t)
      if (refusal) return inconclusive(`nothing was cancelled: ${refusal}`)
      const all = t.requests('notification').filter((each) => isAfter(each, cancel))
      const right = all.find(({ url, body }) => {
        const text = body?.text ?? ''
        return (
          url.endsWith('/cancel_tool_call') &&
          text.includes(String(sent['id'])) &&
          text.includes(String(sent['group_id']))
        )
      })
      if (right) return pass('cancel_tool_call', cite(cancel, right))
      if (watchedAfter(t, cancel) === undefined) return inconclusive('it was not watched')
      return violation(
        'the tool is not told that its call was cancelled',
        {
          expected: `POST /cancel_tool_call with the ids ${String(sent['group_id'])} and ${String(sent['id'])}`,
          actual: all[0]?.body?.text ?? 'no notification',
        },
        cite(cancel, ...all),
      )
    }),
    check('rap-oauth/runtime/discard-result-after-cancel', 'discards the late result', (t) => {
      const late = delivered(t, 'late')
      if (!late?.answer) return inconclusive('no late result was sent')
      const refusal = refusedCancel(t)
      if (refusal) return inconclusive(`nothing was cancelled: ${refusal}`)
      const given = firstGiven(t, late.token)
      if (given) {
        return violation(
          'the result of a cancelled call was given to the model',
          { expected: 'nothing of it', actual: given.text.slice(0, 300) },
          cite(late.request, given.asked.step),
        )
      }
      const said = t.steps('say')[0]
      const chat = said && firstGiven(t, String(said.detail['reference']))
      if (!chat) return inconclusive('the model was not asked afterwards')
      return pass('it was discarded', cite(late.request, chat.asked.step))
    }),
  ],
})

/** How the declared request to interrupt failed, if it did. */
function refusedCancel(t: Transcript): string | undefined {
  const [cancel] = t.steps('cancel')
  const request = t.requests('message').find((each) => isAfter(each, cancel))
  const answer = request && t.answer(request)
  if (answer?.type === 'failure') return `${request?.url}: ${answer.message}`
  return answer && answer.status >= 400 ? `${request?.url}: HTTP ${answer.status}` : undefined
}

const restarted = scenario({
  id: 'restart-while-pending',
  title: 'the runtime restarts while authorization is pending, then the result arrives',
  control: controls.oauth,
  ownInstance: true,
  notApplicable: ({ durable, owned }: Declared) =>
    !durable
      ? 'no durability is declared (declares.durable)'
      : owned
        ? undefined
        : 'the harness does not start this runtime, so it cannot restart it',
  async drive({ ownInstance }) {
    const { converse, restart, observe } = await ownInstance()
    const call = converse().ask()
    await call.awaitInvocation()
    await call.awaitSurfaced(await call.oauth())
    await restart()
    await observe()
    await call.awaitGiven(await call.result())
    await observe()
  },
  checks: [
    check('rap-oauth/runtime/pending-survives-restart', 'completes the call', (t, context) => {
      if (!t.steps('restarted')[0]) return inconclusive('the runtime was not restarted')
      const result = delivered(t, 'result')
      if (result?.answer?.type === 'failure') {
        return violation(
          'after the restart nothing takes the callback of a call from before',
          { expected: 'the same callback URL', actual: result.answer.message },
          cite(result.request, result.answer),
        )
      }
      return deliversResult()(t, context)
    }),
    check('rap-oauth/runtime/no-invocation-retry', 'does not invoke again', invokesOnce()),
    check(
      'rap-oauth/runtime/deliver-result-once',
      'gives the result to the model once',
      deliversOnce(),
    ),
    check(
      'rap-oauth/runtime/result-for-right-call',
      'gives it to the model for its call',
      resultForRightCall(),
    ),
  ],
})

const forgotten = scenario({
  id: 'storage-after-completion',
  title: 'what is stored of an authorization URL when the call has completed',
  control: controls.oauth,
  async drive({ converse, observe, scanStorage }) {
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    const oauth = await call.oauth()
    const surfaced = await goOn(call.awaitSurfaced(oauth))
    await call.awaitGiven(await call.result())
    await conversation.awaitModel(conversation.say())
    await observe()
    await scanStorage([oauth.token])
    surfaced()
  },
  checks: [
    check('rap-oauth/runtime/discard-auth-url', 'stores nothing of the URL afterwards', stored()),
  ],
})

function stored(): Judge {
  return (t, { declared }) => {
    if (!declared.storage) return notApplicable('no storage is declared (declares.storage)')
    const [oauth, result] = [delivered(t, 'oauth'), delivered(t, 'result')]
    if (!oauth || !result || !firstGiven(t, result.token))
      return inconclusive('the call did not complete')
    const scans = t.steps('scanned')
    const bytes = scans.reduce((sum, { detail }) => sum + Number(detail['bytes']), 0)
    const found = scans.find(({ detail }) => (detail['found'] as unknown[]).length > 0)
    if (found) {
      return violation(
        'the authorization URL is still stored after the call has completed',
        {
          expected: 'nothing of the URL',
          actual: `in ${String(found.detail['path'])}: ${JSON.stringify(found.detail['found'])}`,
        },
        cite(oauth.request, result.request, found),
      )
    }
    if (bytes === 0) return inconclusive('nothing is stored at the declared places')
    return pass(`${scans.length} files, ${bytes} bytes`, cite(result.request, ...scans))
  }
}

export const lifecycleScenarios = [restarted, cancelled, forgotten]
