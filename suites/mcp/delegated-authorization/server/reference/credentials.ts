/** Credentials of each user, changed by one call at a time so that no rotated token is used twice. */

import { credentialSchema, type Credential } from './oauth.ts'
import type { Work } from './work.ts'

function load({ records, parts }: Work, subject: string): Credential | undefined {
  return credentialSchema.safeParse(records.load(parts.recordOf(subject))).data
}

export function saveCredential({ records, parts }: Work, subject: string, made: Credential): void {
  records.save(parts.recordOf(subject), made)
}

/** One that can be used now: refreshed first where it has expired. */
export async function findCredential(work: Work, subject: string): Promise<Credential | undefined> {
  const stored = load(work, subject)
  if (!stored || !work.parts.isExpired(stored, Date.now())) return stored
  return renew(work, subject, stored)
}

/** Another than `stale`; undefined (and removed) when only the user can help. */
export function renew(
  work: Work,
  subject: string,
  stale: Credential,
): Promise<Credential | undefined> {
  const { queue, records, parts } = work
  const record = parts.recordOf(subject)
  return queue(record, async () => {
    const stored = load(work, subject)
    // Another call has renewed it meanwhile: a second refresh would replay the rotated token (RFC 9700 §4.14.2).
    if (stored?.accessToken !== stale.accessToken) return stored
    const fresh = await parts.refresh(await work.provider(), stored)
    if (fresh === undefined) records.remove(record)
    else records.save(record, fresh)
    return fresh
  })
}

/** Removes it, unless a newer one took its place. */
export function forget(work: Work, subject: string, stale: Credential): void {
  if (load(work, subject)?.accessToken === stale.accessToken)
    work.records.remove(work.parts.recordOf(subject))
}
