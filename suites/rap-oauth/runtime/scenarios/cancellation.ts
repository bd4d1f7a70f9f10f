/** The user interrupts a pending call: what its tools are told, and what is left of it. */

import {
  asNotOffered,
  cite,
  inconclusive,
  pass,
  show,
  violation,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import type { Declared } from '../configuration.ts'
import { check, type Judge } from '../judges/check.ts'
import { showsNothingOf } from '../judges/shown-urls.ts'
import { byUser, forgetsUrls } from '../forgetting.ts'
import { cancellationsOf } from '../interruption.ts'
import type { Call } from '../call.ts'
import { textResult, toolNames, waits } from '../vocabulary.ts'
import { firstGiven } from '../model-input.ts'
import { callOf, delivered, isAfter, isJson, waitedInVain, watchedAfter } from '../view.ts'
import { controls, goOn, scenario } from './define.ts'
import { heldBack } from './held-back.ts'
import { every } from './concurrency.ts'
import { awaitAtOnce, callsAtOnce, notifications } from './needs.ts'

export const cancels = ({ cancels }: Declared): string | undefined =>
  cancels ? undefined : 'no way to interrupt is declared (declares.cancel)'

const cancelled = scenario({
  id: 'cancelled-while-pending',
  title: 'the user interrupts while authorization is pending, but the tool continues',
  control: controls.oauth,
  notApplicable: cancels,
  async drive({ converse, observe, scanStorage }) {
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    const oauth = await call.oauth()
    await call.awaitSurfaced(oauth)
    await conversation.cancel()
    await goOn(call.awaitCancellation())
    await observe()
    await afterTheEnd(call)
    await observe()
    await conversation.awaitModel(conversation.say())
    await scanStorage([oauth.token])
  },
  checks: [
    check('rap-oauth/runtime/notify-cancellation', 'notifies the tool', notifies()),
    check(
      'rap-oauth/runtime/notify-every-server',
      'notifies the other toolset, too',
      notifiesEveryServer(),
    ),
    check(
      'rap-oauth/runtime/discard-result-after-cancel',
      'discards the late result',
      discardsAfterCancel(),
    ),
    check(
      'rap-oauth/runtime/no-surface-without-call',
      'shows nothing of an oauth message for a call that was cancelled',
      unlessRefused(showsNothingOf('late-oauth')),
    ),
    check(
      'rap-oauth/runtime/discard-auth-url',
      'keeps nothing of the URL when the call was cancelled',
      unlessRefused(forgetsUrls(byUser, { scanned: true })),
    ),
  ],
})

/** The tool knows nothing of the end: it asks for the user once more, then it delivers. */
export async function afterTheEnd(call: Call): Promise<void> {
  await call.forgeOAuth('late-oauth', {})
  await lateResult(call)
}

async function lateResult(call: Call): Promise<void> {
  const token = call.token('forged')
  await call.deliver('late', { type: 'tool_result', ...textResult(token) }, { token })
}

const notifiesByJson: Judge = (t) => {
  const all = cancellationsOf(t, callOf(t))
  const other = all.find(({ headers }) => !isJson(headers['content-type']))
  if (all.length === 0) return inconclusive('no tool was notified')
  if (!other) return pass('POST application/json', cite(...all))
  return violation(
    'a notification has another content type: a tool that goes by it reads no body',
    { expected: 'content-type: application/json', actual: show(other.headers['content-type']) },
    cite(other),
  )
}

const notTaken = scenario({
  id: 'cancellation-not-taken',
  title: 'the tools answer 503 when they are notified of a cancellation',
  control: controls.oauth,
  notApplicable: cancels,
  needs: notifications,
  async drive({ converse, observe }) {
    const conversation = converse()
    const call = conversation.ask({ notified: 503 })
    await call.awaitInvocation()
    await call.awaitSurfaced(await call.oauth())
    await conversation.cancel()
    await notified(call)
    await observe()
  },
  checks: [
    check(
      'rap-oauth/runtime/notify-every-server',
      'notifies each toolset, however the others answer',
      notifiesEveryServer(),
    ),
    check(
      'rap-oauth/runtime/notification-is-json-post',
      'says that notifications are JSON',
      notifiesByJson,
    ),
    check('rap-oauth/runtime/notification-not-retried', 'does not notify it again', (t) => {
      const all = cancellationsOf(t, callOf(t))
      const [first] = all
      if (!first) return inconclusive('no tool was notified')
      const twice = all.find((each, index) => all.findIndex(({ url }) => url === each.url) < index)
      if (twice) {
        return violation(
          'a notification that failed was sent again',
          { expected: 'one for each toolset', actual: `${all.length} notifications` },
          cite(...all),
        )
      }
      const watched = watchedAfter(t, first)
      if (watched === undefined) return inconclusive('the run did not watch long enough')
      return pass(`${all.length} notifications, watched for ${watched} ms`, cite(...all))
    }),
  ],
})

const notAnswered = scenario({
  id: 'cancellation-never-answered',
  title:
    'the tools do not answer when they are notified of a cancellation, and one delivers its result meanwhile',
  control: 'cancelled-while-pending',
  notApplicable: cancels,
  needs: notifications,
  async drive({ converse, observe }) {
    const conversation = converse()
    const { held, release } = heldBack<number>()
    const call = conversation.ask({ notified: held })
    await call.awaitInvocation()
    await call.awaitSurfaced(await call.oauth())
    // Who waits for its tools may keep the user waiting as well.
    const cancelled = goOn(conversation.cancel())
    try {
      await notified(call)
      await observe()
      await lateResult(call)
      await observe()
    } finally {
      release(200)
    }
    const orThrow = await cancelled
    orThrow()
    await conversation.awaitModel(conversation.say())
  },
  checks: [
    check(
      'rap-oauth/runtime/cancellation-not-blocked',
      'has still cancelled the call',
      (t, context) => {
        const [first] = cancellationsOf(t, callOf(t))
        const late = delivered(t, 'late')?.request
        if (!first || !late)
          return inconclusive('no result came while a notification was under way')
        const judgement = discardsAfterCancel()(t, context)
        const { outcome, actual = 'it was' } = judgement
        if (outcome !== 'violation') return judgement
        const usual = context.control && discardsAfterCancel()(context.control, context)
        if (usual?.outcome === 'violation')
          return inconclusive('the result is not discarded even after the tools have answered')
        return violation(
          'the call is cancelled only after the tools have answered the notification: cancel it first, do not wait for them',
          { expected: 'nothing of the result, though no tool has answered yet', actual },
          [...cite(first), ...judgement.evidence],
        )
      },
    ),
    check(
      'rap-oauth/runtime/notify-every-server',
      'notifies each toolset, though none of them has answered',
      notifiesEveryServer(),
    ),
  ],
})

const bothCancelled = scenario({
  id: 'two-calls-cancelled',
  title: 'the user interrupts while two calls of one turn are pending, but their tool continues',
  control: 'cancelled-while-pending',
  notApplicable: cancels,
  needs: callsAtOnce,
  async drive({ converse, observe }) {
    const conversation = converse()
    const [first, second] = conversation.askAtOnce(2) as [Call, Call]
    await awaitAtOnce(first, second)
    await conversation.cancel()
    for (const call of [first, second]) await goOn(call.awaitCancellation())
    await observe()
    for (const call of [first, second]) await lateResult(call)
    await observe()
    await conversation.awaitModel(conversation.say())
  },
  checks: [
    check(
      'rap-oauth/runtime/notify-cancellation',
      'notifies the tool of each of them',
      every(notifiesIfCancelled, 2),
    ),
  ],
})

/** Waits until a tool is notified of the cancellation. @throws NotOffered when none is */
async function notified(call: Call): Promise<void> {
  await call.awaitCancellation().catch(asNotOffered)
}

function notifies(name = 'call-1'): Judge {
  return (t) => {
    const [cancel] = t.steps('cancel')
    const call = callOf(t, name)
    if (!cancel) return inconclusive('nothing was cancelled')
    const refusal = refusedCancel(t)
    if (refusal) return inconclusive(`nothing was cancelled: ${refusal}`)
    const [right] = cancellationsOf(t, call).filter((each) => isAfter(each, cancel))
    if (right) return pass('cancel_tool_call', cite(cancel, right))
    const waited = waitedInVain(t, waits.notified, name)
    if (waited === undefined) return inconclusive('the run did not wait for it')
    const all = t.requests('notification').filter((each) => isAfter(each, cancel))
    const { group_id: group, id } = call.sent
    const naming = all.find(({ url }) => url.endsWith('/cancel_tool_call'))
    return violation(
      naming
        ? 'the notification of the cancellation has not the ids of the call'
        : 'the tool is not told that its call was cancelled',
      {
        expected: `POST /cancel_tool_call with the ids ${String(group)} and ${String(id)}`,
        actual: all[0]?.body?.text ?? `no notification within ${waited} ms`,
      },
      cite(cancel, ...all),
    )
  }
}

/** The same of one of several calls: an interruption need not end all of them. */
function notifiesIfCancelled(name: string): Judge {
  return (t, context) => {
    const judgement = notifies(name)(t, context)
    if (judgement.outcome !== 'violation') return judgement
    const late = discardsAfterCancel(name)(t, context)
    if (late.outcome === 'violation')
      return pass(`${name} was not cancelled: its result counts`, late.evidence)
    return late.outcome === 'pass' ? judgement : late
  }
}

/** RAP Tool Cancellation, Dispatch Behavior: whichever server the call went to. */
function notifiesEveryServer(): Judge {
  return (t) => {
    const [cancel] = t.steps('cancel')
    const all = cancellationsOf(t, callOf(t)).filter((each) => isAfter(each, cancel))
    if (!cancel || !all[0]) return inconclusive('no tool was notified')
    const servers = new Set(all.map(({ url }) => url))
    if (servers.size >= toolNames.length) return pass(`${servers.size} toolsets`, cite(...all))
    if (watchedAfter(t, all[0]) === undefined)
      return inconclusive('the run did not watch long enough')
    return violation(
      'not every tool server is told of the cancellation',
      { expected: `${toolNames.length} toolsets`, actual: [...servers].join(', ') },
      cite(cancel, ...all),
    )
  }
}

export function discardsAfterCancel(name = 'call-1'): Judge {
  return (t) => {
    const late = delivered(t, 'late', name)
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
  }
}

export function unlessRefused(judge: Judge): Judge {
  return (t, context) => {
    const refusal = refusedCancel(t)
    return refusal ? inconclusive(`nothing was cancelled: ${refusal}`) : judge(t, context)
  }
}

/** How the declared request to interrupt failed, if it did. */
function refusedCancel(t: Transcript): string | undefined {
  const [cancel] = t.steps('cancel')
  const request = t.requests('message').find((each) => isAfter(each, cancel))
  const answer = request && t.answer(request)
  if (answer?.type === 'failure') return `${request?.url}: ${answer.message}`
  return answer && answer.status >= 400 ? `${request?.url}: HTTP ${answer.status}` : undefined
}

export const cancellationScenarios = [cancelled, notTaken, notAnswered, bothCancelled]
