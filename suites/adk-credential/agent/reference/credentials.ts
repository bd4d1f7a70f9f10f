/** Credentials, of each user and key, changed by one call at a time so that no rotated token is used twice. */

import { credentialSchema, type Credential } from './oauth.ts'
import type { Owner } from './owner.ts'
import type { Work } from './work.ts'

function load({ records, parts }: Work, owner: Owner): Credential | undefined {
  return credentialSchema.safeParse(records.load(parts.recordOf(owner))).data
}

export function saveCredential(work: Work, owner: Owner, credential: Credential): void {
  work.records.save(work.parts.recordOf(owner), credential)
}

/** One that can be used now: refreshed first where it is about to expire. */
export async function findCredential(work: Work, owner: Owner): Promise<Credential | undefined> {
  const stored = load(work, owner)
  if (!stored || !work.parts.isExpired(stored, Date.now())) return stored
  return renew(work, owner, stored)
}

/** Another than `stale`; undefined (and removed) when only the user can help. */
export function renew(
  work: Work,
  owner: Owner,
  stale: Credential,
): Promise<Credential | undefined> {
  const { queue, records, parts, config, fetch } = work
  return queue(parts.recordOf(owner), async () => {
    const stored = load(work, owner)
    // Another call has renewed it meanwhile: a second refresh would replay the rotated token (RFC 9700 §4.14.2).
    if (stored?.accessToken !== stale.accessToken) return stored
    const fresh = await parts.refresh(config.oauth, fetch, stored)
    if (fresh === undefined) records.remove(parts.recordOf(owner))
    else records.save(parts.recordOf(owner), fresh)
    return fresh
  })
}

/** Removes it, unless a newer one took its place. */
export function forget(work: Work, owner: Owner, stale: Credential): void {
  if (load(work, owner)?.accessToken === stale.accessToken)
    work.records.remove(work.parts.recordOf(owner))
}
