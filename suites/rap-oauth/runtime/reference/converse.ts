/** One run of the model: what it has not seen yet goes to it, its reply goes to user and tools. */

import { armTimer } from './abandon.ts'
import { dispatch, type Dispatch } from './dispatch.ts'
import type { Reply } from './model.ts'
import { planCall, type PlannedCall } from './plan-call.ts'
import { hashToken } from './receive-callback.ts'
import type { Message } from './records.ts'
import type { OfferedTool } from './toolset.ts'
import { show, type Work } from './work.ts'

/** Turns without a word from the user after which the runtime stops a model that only calls tools. */
const maxTurns = 50

/**
 * Asks the model about a user's message, or about tool results that came in. Runs of one
 * conversation never overlap; a run whose news went out with an earlier one does nothing.
 */
export async function converse(work: Work, conversation: string, message?: number): Promise<void> {
  const { parts, store, closing } = work
  const messages = store.messages(conversation)
  // The results first: what the user says may be about them.
  const news = [
    ...messages.filter((each) => each.unseen && each.role === 'assistant'),
    ...messages.filter((each) => each.unseen && each.seq === message),
  ]
  if (news.length === 0 || closing.aborted) return
  const seen = [...messages.filter((each) => !each.unseen), ...news]
  if (turnsSinceUser(seen) >= maxTurns) {
    return giveUp(work, conversation, news, 'The assistant was stopped: it only called tools.')
  }
  const tools = await work.tools(conversation)
  const history = parts.historyForModel(seen, parts.informModel)
  const reply = await parts.askModel(history, tools, work.settings, work.exchange, closing)
  // Nothing is lost: the next start asks again.
  if (closing.aborted) return
  if (reply === undefined) {
    parts.log({ event: 'model-failed' })
    return giveUp(work, conversation, news, 'The model gave no answer. Please try again.')
  }
  const userId = news.at(-1)?.userId ?? null
  const dispatches = takeReply(work, { conversation, news, reply, tools, userId })
  for (const each of dispatches) {
    armTimer(work, each.call)
    work.background.run(() => dispatch(work, each))
  }
}

interface Turn {
  readonly conversation: string
  readonly news: readonly Message[]
  readonly reply: Reply
  readonly tools: readonly OfferedTool[]
  readonly userId: string | null
}

/** Records the reply with its calls, all or nothing, and shows it; returns what is to be sent. */
function takeReply(work: Work, turn: Turn): Dispatch[] {
  const { store } = work
  const { conversation, news, reply, tools, userId } = turn
  return store.transaction(() => {
    for (const each of news) store.markSeen(each.seq)
    const { text } = reply
    const seq = store.addMessage(conversation, { role: 'assistant', text, userId }, false)
    if (text !== null) show(work, conversation, { type: 'assistant_text', text })
    const plans = reply.calls.map((requested) => planCall(requested, tools))
    const dispatches = plans.flatMap((plan) => recordCall(work, plan, { ...turn, seq }))
    for (const each of dispatches) showStart(work, each)
    if (plans.length > 0 && dispatches.length === 0) {
      store.markUnseen(seq)
      work.wake(conversation)
    }
    return dispatches
  })
}

function showStart(work: Work, { call, requiresAuth }: Dispatch): void {
  show(work, call.conversation, {
    type: 'tool_status',
    tool: call.tool,
    id: call.id,
    status: 'started',
    ...(requiresAuth === undefined ? {} : { requires_auth: requiresAuth }),
  })
}

/** A call that cannot be made has its error result at once. */
function recordCall(
  { parts, store }: Work,
  plan: PlannedCall,
  { seq: turn, conversation, userId }: Turn & { readonly seq: number },
): Dispatch[] {
  const token = parts.newToken()
  const seq = store.addCall({
    ...plan.body,
    userId,
    turn,
    conversation,
    id: parts.newId({ ...plan.body, conversation, turn }),
    tokenHash: hashToken(token),
    createdAt: parts.now(),
  })
  const call = store.call(seq)
  if (call === undefined) throw new TypeError('the call is not in the store')
  if (plan.ok) return [{ ...plan.target, call, token }]
  parts.injectResult(store, call, plan.error)
  return []
}

function giveUp(work: Work, conversation: string, news: readonly Message[], text: string): void {
  work.store.transaction(() => {
    for (const each of news) work.store.markSeen(each.seq)
    show(work, conversation, { type: 'error', text })
  })
}

function turnsSinceUser(messages: readonly Message[]): number {
  return messages.length - 1 - messages.findLastIndex((message) => message.role === 'user')
}
