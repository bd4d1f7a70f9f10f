/** Lists items with the tokens of an owner, and deals with tokens that are refused. */

import { CallFailure } from '../failure.ts'
import type { Tokens } from '../tokens/tokens.ts'
import type { Work } from '../work.ts'
import type { Item } from './list-items.ts'
import type { TokenOrigin } from './next-step.ts'

export type Outcome =
  | { readonly done: true; readonly items: readonly Item[] }
  /** Only the user can help, by granting these scopes. */
  | { readonly done: false; readonly scopes: readonly string[] }

/** Throws a CallFailure where authorization would not help. */
export async function useStoredTokens(work: Work, owner: string | undefined): Promise<Outcome> {
  const { parts, vault } = work
  const stored = owner === undefined ? undefined : await vault.load(owner)
  if (owner === undefined || stored === undefined) return authorize(work)
  if (!parts.isExpired(stored, parts.now())) return useTokens(work, owner, stored, 'stored')
  const renewed = await vault.renew(owner, stored)
  return renewed === undefined ? authorize(work) : useTokens(work, owner, renewed, 'refreshed')
}

/** The same with tokens that were granted for this very call. */
export async function useGrantedTokens(work: Work, owner: string): Promise<readonly Item[]> {
  const granted = await work.vault.load(owner)
  if (granted === undefined) throw new CallFailure('token-refused')
  const outcome = await useTokens(work, owner, granted, 'granted')
  if (!outcome.done) throw new CallFailure('token-refused')
  return outcome.items
}

async function useTokens(
  work: Work,
  owner: string,
  tokens: Tokens,
  origin: TokenOrigin,
): Promise<Outcome> {
  const { parts, settings, fetch, vault } = work
  const api = { baseUrl: settings.resourceUrl, fetch }
  const attempt = await parts.fetchItems(api, tokens.accessToken)
  if (attempt.done) return attempt

  const step = parts.nextStep(attempt.refusal, origin)
  if (step === 'fail') {
    if (attempt.refusal === 'insufficient_scope') throw new CallFailure('scope-refused')
    // The provider's newest token is not accepted: keeping it would only fail the next call too.
    await vault.forget(owner, tokens)
    throw new CallFailure('token-refused')
  }
  if (step === 'refresh') {
    const renewed = await vault.renew(owner, tokens)
    return renewed === undefined ? authorize(work) : useTokens(work, owner, renewed, 'refreshed')
  }
  if (attempt.refusal === 'insufficient_scope') {
    // Step-up: what the token had is asked for again, or the new one would be worth less elsewhere.
    return authorize(work, [...tokens.scopes, ...attempt.scopes])
  }
  await vault.forget(owner, tokens)
  return authorize(work)
}

function authorize({ settings }: Work, furtherScopes: readonly string[] = []): Outcome {
  return { done: false, scopes: [...new Set([...settings.scopes, ...furtherScopes])] }
}
