/** Runs an operation with a token, and deals with a token that is refused. */

import type { Call } from './call.ts'
import { CallFailure } from './failure.ts'
import type { TokenOrigin } from './next-step.ts'
import { startAuthorization } from './start-authorization.ts'
import type { Tokens } from './tokens.ts'
import type { Work } from './work.ts'

/** The text of the result; undefined when an authorization was started instead. */
export async function runWithStoredTokens(work: Work, call: Call): Promise<string | undefined> {
  const { parts, vault } = work
  const stored = call.userId === null ? undefined : await vault.load(call.userId)
  if (stored === undefined) return authorize(work, call)
  if (!parts.isExpired(stored, parts.now())) return runOperation(work, call, stored, 'stored')
  const renewed = await renew(work, call, stored)
  return renewed === undefined
    ? authorize(work, call)
    : runOperation(work, call, renewed, 'refreshed')
}

/** The text of the result; undefined when an authorization was started instead. */
export async function runOperation(
  work: Work,
  call: Call,
  tokens: Tokens,
  origin: TokenOrigin,
): Promise<string | undefined> {
  const { parts, settings, fetch, vault } = work
  const api = { baseUrl: settings.resourceUrl, fetch }
  const attempt = await parts.performOperation(api, call.request, tokens.accessToken)
  if (attempt.done) return attempt.text

  const step = parts.nextStep(attempt.refusal, origin)
  if (step === 'fail') {
    if (attempt.refusal === 'insufficient_scope') throw new CallFailure('scope-refused')
    // The provider's newest token is not accepted: keeping it would only fail the next call too.
    if (call.userId !== null) await vault.forget(call.userId, tokens)
    throw new CallFailure('token-refused')
  }
  if (step === 'refresh') {
    const renewed = await renew(work, call, tokens)
    if (renewed !== undefined) return runOperation(work, call, renewed, 'refreshed')
    return authorize(work, call)
  }
  if (attempt.refusal === 'insufficient_scope') {
    // Step-up: what the token had is asked for again, or the new one would be worth less elsewhere.
    return authorize(work, call, [...tokens.scopes, ...attempt.scopes])
  }
  if (call.userId !== null) await vault.forget(call.userId, tokens)
  return authorize(work, call)
}

async function authorize(
  work: Work,
  call: Call,
  furtherScopes: readonly string[] = [],
): Promise<undefined> {
  const scopes = new Set([...work.parts.requiredScopes(call.request), ...furtherScopes])
  await startAuthorization(work, call, [...scopes])
}

async function renew(work: Work, call: Call, stale: Tokens): Promise<Tokens | undefined> {
  return call.userId === null ? undefined : work.vault.renew(call.userId, stale)
}
