/** The way back from the provider: from the browser's redirect to the call's result. */

import type { Context as Http } from 'hono'

import { CallFailure } from './failure.ts'
import type { Flow } from './flow-store.ts'
import { runOperation } from './run-operation.ts'
import { armTimer, disarmTimer, fail, isUntold, sendResult, type Work } from './work.ts'

/**
 * Answers the redirect. Nothing changes unless the state belongs to a pending flow and the provider
 * says something; the page does not wait for what follows.
 */
export async function handleCallback(work: Work, http: Http): Promise<Response> {
  const { parts, flows } = work
  const query = new URL(http.req.url).searchParams
  const flow = await parts.validateState(query, flows, parts.now())
  if (flow === undefined) {
    parts.log({ event: 'callback-ignored', outcome: 'unknown-state' })
    return parts.renderPage(http, 'unknown')
  }
  if (!parts.isAnswer(query)) {
    parts.log({ event: 'callback-ignored', id: flow.call.id, outcome: 'no-answer' })
    return parts.renderPage(http, 'incomplete')
  }
  if (!(await parts.claimFlow(flow, flows))) return parts.renderPage(http, 'unknown')

  disarmTimer(work, flow)
  parts.log({ event: 'authorization-answered', id: flow.call.id })
  void work.background.run(() => finishAuthorization(work, flow, query))
  return parts.renderPage(http, query.get('error') ? 'refused' : 'approved')
}

async function finishAuthorization(work: Work, flow: Flow, query: URLSearchParams): Promise<void> {
  const { parts, vault } = work
  const { call, redirectUri, verifier, scopes } = flow
  try {
    const provider = await work.provider()
    const response = parts.validateResponse(provider, query)
    const grant = { response, redirectUri, verifier, scopes }
    const tokens = await parts.exchangeCode(provider, grant, parts.now)
    // Kept for the one who made the call. Nobody's tokens are never kept.
    if (call.userId !== null) await vault.save(call.userId, tokens)
    await parts.resumeCall(
      () => runOperation(work, call, tokens, 'granted'),
      (text) => sendResult(work, call, text),
    )
  } catch (error) {
    await fail(work, call, error)
  }
  // After a shutdown the result may not be out: the next start finds the flow and reports it.
  if (!isUntold(work, flow)) await work.flows.finish(flow)
}

/** After a restart: waiting calls go on waiting, interrupted ones get their result now. */
export async function resumeFlows(work: Work): Promise<void> {
  for (const flow of await work.flows.interrupted()) {
    void work.background.run(async () => {
      await fail(work, flow.call, new CallFailure('interrupted'))
      if (!isUntold(work, flow)) await work.flows.finish(flow)
    })
  }
  for (const flow of await work.flows.pending()) {
    if (!work.timers.has(flow.key) && !work.closed.aborted) armTimer(work, flow)
  }
}
