/** The runtime restarts: what was pending stays so, and what has ended stays ended. */

import { inconclusive, violation, cite } from '../../../../harness/engine/index.ts'
import type { Call } from '../call.ts'
import type { Declared } from '../configuration.ts'
import { check, type Judge } from '../judges/check.ts'
import {
  deliversOnce,
  deliversResult,
  ignoresResult,
  resultForRightCall,
} from '../judges/given-results.ts'
import { uniqueIds } from '../judges/invocations.ts'
import { invokesOnce } from '../judges/pending-calls.ts'
import { showsNothingOf, surfacesUrl } from '../judges/shown-urls.ts'
import { textResult } from '../vocabulary.ts'
import { delivered } from '../view.ts'
import { afterTheEnd, cancels, discardsAfterCancel, unlessRefused } from './cancellation.ts'
import { every, isolates } from './concurrency.ts'
import { controls, goOn, scenario } from './define.ts'
import { byResult, forgetsUrls } from '../forgetting.ts'
import { forgottenForWhoComesBack, reopens } from './leaving.ts'
import { identifiesUsers } from './users.ts'

/** Why no restart can be tried. */
export const restarts = ({ durable, owned, multipliable }: Declared): string | undefined => {
  if (!durable) return 'no durability is declared (declares.durable)'
  if (!owned) return 'the harness does not start this runtime, so it cannot restart it'
  return multipliable ? undefined : 'the harness cannot start another instance of this runtime'
}

/** Judges what came after a restart. */
const afterRestart =
  (judge: Judge): Judge =>
  (t, context) =>
    t.steps('restarted')[0] ? judge(t, context) : inconclusive('the runtime was not restarted')

const restarted = scenario({
  id: 'restart-while-pending',
  title: 'the runtime restarts while authorization is pending, then the result arrives',
  control: controls.oauth,
  ownInstance: true,
  notApplicable: restarts,
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
    check(
      'rap-oauth/runtime/pending-survives-restart',
      'completes the call',
      afterRestart(completes()),
    ),
    check('rap-oauth/runtime/no-invocation-retry', 'does not invoke again', invokesOnce()),
    check(
      'rap-oauth/runtime/deliver-result-once',
      'gives the result to the model once',
      deliversOnce(),
    ),
    check(
      'rap-oauth/runtime/result-for-right-call',
      'gives it to the model as the answer to its call',
      resultForRightCall(),
    ),
  ],
})

/** The callback of a call is still taken, and its result reaches the model. */
function completes(call = 'call-1'): Judge {
  return (t, context) => {
    const result = delivered(t, 'result', call)
    if (result?.answer?.type === 'failure' && result.answer.code !== 'timeout') {
      return violation(
        'after the restart nothing takes the callback of a call from before',
        { expected: 'the same callback URL', actual: result.answer.message },
        cite(result.request, result.answer),
      )
    }
    return deliversResult('result', call)(t, context)
  }
}

const usersOverRestart = scenario({
  id: 'restart-with-two-users',
  title:
    'the runtime restarts while two users are asked; both calls complete, and both users go on',
  control: controls.oauth,
  ownInstance: true,
  notApplicable: restarts,
  async drive({ ownInstance }) {
    const { converse, restart, observe } = await ownInstance()
    const conversations = [converse(), converse()]
    const calls: Call[] = []
    // One after the other before the restart and after it, so that ids that are counted anew meet in one thread.
    for (const conversation of conversations) {
      const call = conversation.ask()
      calls.push(call)
      await call.awaitInvocation()
      await call.awaitSurfaced(await call.oauth())
    }
    await restart()
    await observe()
    for (const call of calls.toReversed()) await call.awaitGiven(await call.result())
    for (const conversation of conversations) {
      const call = conversation.ask()
      await call.awaitInvocation()
      await call.awaitGiven(await call.result())
    }
  },
  checks: [
    check(
      'rap-oauth/runtime/pending-survives-restart',
      'completes the calls of both users',
      afterRestart(every(completes, 2)),
    ),
    check(
      'rap-oauth/runtime/isolate-conversations',
      'keeps two users apart over a restart',
      afterRestart(isolates(2)),
    ),
    check(
      'rap-oauth/runtime/unique-call-id',
      'gives no id of before the restart again',
      afterRestart(uniqueIds()),
    ),
    check(
      'rap-oauth/runtime/user-id-of-own-user',
      'still calls the tool for the user who asked',
      afterRestart(identifiesUsers()),
    ),
  ],
})

const askedAfterRestart = scenario({
  id: 'asked-after-restart',
  title: 'the runtime restarts while its tool works, then the authorization URL arrives',
  control: controls.oauth,
  ownInstance: true,
  notApplicable: (declared: Declared) => restarts(declared) ?? reopens(declared),
  async drive({ ownInstance }) {
    const { converse, restart, observe } = await ownInstance()
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    // Whether an invocation was taken, a runtime that ends too early does not know.
    await observe()
    await restart()
    conversation.reopen()
    const surfaced = await goOn(call.awaitSurfaced(await call.oauth()))
    await call.result()
    surfaced()
  },
  checks: [
    check(
      'rap-oauth/runtime/pending-survives-restart',
      'shows the URL for a call from before',
      afterRestart(surfacesUrl()),
    ),
  ],
})

const forgottenAfterRestart = scenario({
  id: 'forgotten-after-restart',
  title:
    'the runtime restarts while authorization is pending, and its user comes back when the call has completed',
  control: controls.oauth,
  ownInstance: true,
  notApplicable: restarts,
  async drive({ ownInstance, declared }) {
    const { converse, restart, observe, scanStorage } = await ownInstance()
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    const oauth = await call.oauth()
    await call.awaitSurfaced(oauth)
    await restart()
    await call.awaitGiven(await call.result())
    await conversation.awaitModel(conversation.say())
    await scanStorage([oauth.token])
    if (!declared.reopens) return
    conversation.reopen()
    await observe()
  },
  checks: [
    check(
      'rap-oauth/runtime/discard-auth-url',
      'keeps nothing of a URL that it has shown before the restart',
      afterRestart((t, context) => {
        const kept = forgetsUrls(byResult, { scanned: true })(t, context)
        if (kept.outcome !== 'pass' || !context.declared.reopens) return kept
        return forgottenForWhoComesBack(t, context)
      }),
    ),
  ],
})

const restartedAfterCompletion = scenario({
  id: 'restart-after-completion',
  title: 'the runtime restarts when a call has completed, then its result arrives again',
  control: controls.plain,
  ownInstance: true,
  notApplicable: restarts,
  async drive({ ownInstance }) {
    const { converse, restart, observe } = await ownInstance()
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    const result = await call.result()
    await call.awaitGiven(result)
    // Before the model has answered, a restart may well make it ask again.
    await observe()
    await restart()
    await call.deliver('result-again', { type: 'tool_result', ...textResult(result.token) })
    const token = call.token('forged')
    await call.deliver('late', { type: 'tool_result', ...textResult(token) }, { token })
    await observe()
    await conversation.awaitModel(conversation.say())
  },
  checks: [
    check(
      'rap-oauth/runtime/idempotent-duplicates',
      'knows the result after the restart',
      deliversOnce(),
    ),
    check(
      'rap-oauth/runtime/discard-unmatched-result',
      'takes no other result after the restart',
      ignoresResult('late'),
    ),
  ],
})

const restartedAfterCancellation = scenario({
  id: 'restart-after-cancellation',
  title: 'the runtime restarts after the user has interrupted, but the tool continues',
  control: controls.oauth,
  ownInstance: true,
  notApplicable: (declared: Declared) => restarts(declared) ?? cancels(declared),
  async drive({ ownInstance }) {
    const { converse, restart, observe } = await ownInstance()
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    await call.awaitSurfaced(await call.oauth())
    await conversation.cancel()
    await observe()
    await restart()
    await afterTheEnd(call)
    await observe()
    await conversation.awaitModel(conversation.say())
  },
  checks: [
    check(
      'rap-oauth/runtime/discard-result-after-cancel',
      'discards the late result after the restart',
      discardsAfterCancel(),
    ),
    check(
      'rap-oauth/runtime/no-surface-without-call',
      'shows nothing of an oauth message for a call that was cancelled before',
      unlessRefused(showsNothingOf('late-oauth')),
    ),
  ],
})

export const restartScenarios = [
  restarted,
  usersOverRestart,
  askedAfterRestart,
  forgottenAfterRestart,
  restartedAfterCompletion,
  restartedAfterCancellation,
]
