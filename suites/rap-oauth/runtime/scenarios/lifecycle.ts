/** What may happen to a call while it is pending: cancellation, a restart, a timeout; and what is left of it. */

import { cite, inconclusive, notApplicable, pass, violation } from '../../../../harness/index.ts'
import type { Declared } from '../configuration.ts'
import {
  check,
  claimsBetween,
  deliversOnce,
  idsOf,
  invokesOnce,
  resultForRightCall,
  deliversResult,
  type Judge,
} from '../checks.ts'
import { delivered, callOf, firstGiven, isAfter, mark, waitedInVain, askedOf } from '../view.ts'
import { textResult } from '../session.ts'
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

const unended = 'the call was not ended'

const timedOut = scenario({
  id: 'runtime-timeout',
  ownInstance: true,
  title: "nobody authorizes until the runtime's own timeout, then a late result arrives",
  control: controls.oauth,
  notApplicable: ({ userTimeoutMs }: Declared) =>
    userTimeoutMs === undefined
      ? 'no timeout of its own is declared (declares.userTimeout)'
      : undefined,
  async drive(shared) {
    const { declared, timing } = shared
    const { userTimeoutMs } = declared
    // Where we start it, the shared instance may be told to wait for longer, see {user.timeoutMs}.
    const own = userTimeoutMs !== undefined && declared.multipliable
    const world = own ? await shared.ownInstance({ timeoutMs: userTimeoutMs }) : shared
    const { converse, observe, mark } = world
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    await call.awaitSurfaced(await call.oauth())
    const within = Math.min((userTimeoutMs ?? 0) + timing.graceMs, timing.maxWaitMs)
    await call.awaitThat(
      unended,
      (view, t) => claimsBetween(t, view, delivered(t, 'oauth', view.name), undefined)[0],
      within,
    )
    mark('ended')
    const token = call.token('forged')
    await call.deliver('late', { type: 'tool_result', ...textResult(token) }, { token })
    await observe()
    await conversation.awaitModel(conversation.say())
  },
  checks: [
    check(
      'rap-oauth/runtime/documented-timeout',
      'ends the call with an error result, in time',
      (t, { declared, timing }) => {
        const { userTimeoutMs = 0 } = declared
        const call = callOf(t)
        const [first] = call.invocations
        const ids = idsOf(call)
        const oauth = delivered(t, 'oauth')
        if (!first || !oauth) return inconclusive('the call was not pending')
        const [claim] = claimsBetween(t, call, oauth, undefined)
        const asked = claim?.asked
        if (!asked) {
          const waited = waitedInVain(t, unended)
          if (waited === undefined) return inconclusive('it was not waited for')
          if (waited < userTimeoutMs + timing.graceMs) {
            return inconclusive(`the run waits ${waited} ms at most (timing.maxWait, --max-wait)`)
          }
          const difference = {
            expected: `an error result after ${userTimeoutMs} ms`,
            actual: `none within ${waited} ms`,
          }
          return violation('the declared timeout did not end the call', difference, cite(first))
        }
        // The runtime may count from when the model asked for the tool.
        const after = asked.step.t - (call.toolCall ?? first).t
        const early = after < userTimeoutMs * 0.9
        const difference = {
          expected: `an error result for ${ids.map(String).join(' or ')} after ${userTimeoutMs} ms`,
          actual: `${JSON.stringify(claim.text.slice(0, 200))} after ${Math.round(after)} ms`,
        }
        if (early)
          return violation(
            'the call was ended before its timeout',
            difference,
            cite(first, asked.step),
          )
        if (
          claim.claim !== 'an error' &&
          !/time|expire|abandon|too long|given up|gave up/i.test(claim.text)
        ) {
          return violation('the timeout is not reported as an error', difference, cite(asked.step))
        }
        return pass(`after ${Math.round(after)} ms`, cite(first, asked.step))
      },
    ),
    check(
      'rap-oauth/runtime/discard-unmatched-result',
      'discards the result that comes after its timeout',
      (t) => {
        const late = delivered(t, 'late')
        if (!late?.answer || !mark(t, 'ended')) return inconclusive('no late result was sent')
        const given = firstGiven(t, late.token)
        if (given) {
          const difference = { expected: 'nothing of it', actual: given.text.slice(0, 300) }
          return violation(
            'the result of a call that has timed out was given to the model',
            difference,
            cite(late.request, given.asked.step),
          )
        }
        const later = askedOf(t).find(({ step }) => late.request && isAfter(step, late.request))
        if (!later) return inconclusive('the model was not asked afterwards')
        return pass('it was discarded', cite(late.request, later.step))
      },
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

export const lifecycleScenarios = [timedOut, restarted, cancelled, forgotten]
