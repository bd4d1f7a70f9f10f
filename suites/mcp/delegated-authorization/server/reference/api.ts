/** The protected API: one request with a token, and what it is answered. */

import * as oauth from 'oauth4webapi'
import { z } from 'zod'

import type { BoundFetch } from './bound-fetch.ts'
import { CallFailure } from './failure.ts'

/** The API refused the token (RFC 6750 §3.1). */
export class TokenRefused extends Error {}

// Only the fields that we know are passed on: whatever else the API adds may be confidential.
const answer = z.object({ items: z.array(z.object({ id: z.string(), title: z.string() })) })
export type Items = z.infer<typeof answer>['items']

/** Throws TokenRefused or a CallFailure. */
export async function fetchItems(
  base: string,
  fetch: BoundFetch,
  accessToken: string,
): Promise<Items> {
  const url = new URL(`${base}/items`)
  const options = { [oauth.customFetch]: fetch }
  const response = await oauth
    .protectedResourceRequest(accessToken, 'GET', url, new Headers(), null, options)
    .catch((error: unknown) => {
      if (error instanceof oauth.WWWAuthenticateChallengeError) return error.response
      throw new CallFailure('service-failed')
    })
  if (response.status === 401) throw new TokenRefused()
  if (response.status === 403) throw new CallFailure('scope-refused')
  const read = answer.safeParse(response.ok ? await response.json().catch(() => {}) : undefined)
  if (!read.success) throw new CallFailure('service-failed')
  return read.data.items
}
