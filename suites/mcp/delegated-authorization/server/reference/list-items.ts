/** The tool: with the credential that there is, or after the user was asked for one. */

import type { CallToolResult } from '@modelcontextprotocol/server'

import { TokenRefused, type Items } from './api.ts'
import { authorize } from './authorize.ts'
import type { Call } from './call.ts'
import { findCredential, forget, renew, saveCredential } from './credentials.ts'
import { CallFailure } from './failure.ts'
import type { Credential } from './oauth.ts'
import type { Work } from './work.ts'

/** Answers every call, failed ones in words. */
export async function listItems(work: Work, call: Call): Promise<CallToolResult> {
  const { parts } = work
  try {
    const items = (await withStored(work, call)) ?? (await withGranted(work, call))
    parts.log({ event: 'call-ended', outcome: 'served' })
    return parts.describeItems(items)
  } catch (error) {
    const outcome = error instanceof CallFailure ? error.code : 'internal'
    parts.log({ event: 'call-ended', outcome })
    return parts.describeFailure(error)
  }
}

/** Undefined where only the user can help. */
async function withStored(work: Work, { subject }: Call): Promise<Items | undefined> {
  let credential = await findCredential(work, subject)
  for (let attempt = 0; credential !== undefined && attempt < 2; attempt += 1) {
    const items = await use(work, credential)
    if (items) return items
    credential = attempt === 0 ? await renew(work, subject, credential) : credential
  }
  if (credential) forget(work, subject, credential)
  return undefined
}

async function withGranted(work: Work, call: Call): Promise<Items> {
  const credential = await work.parts.attempt(() => authorize(work, call), call)
  saveCredential(work, call.subject, credential)
  const items = await use(work, credential)
  if (items) return items
  // The provider's newest token is not accepted: keeping it would only fail the next call too.
  forget(work, call.subject, credential)
  throw new CallFailure('token-refused')
}

/** Undefined where the token is refused. */
async function use(
  { config, parts, fetch }: Work,
  { accessToken }: Credential,
): Promise<Items | undefined> {
  try {
    return await parts.fetchItems(config.resourceUrl, fetch, accessToken)
  } catch (error) {
    if (error instanceof TokenRefused) return undefined
    throw error
  }
}
