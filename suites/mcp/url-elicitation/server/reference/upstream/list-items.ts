/** Lists the user's items at the protected API with an access token (RFC 6750). */

import * as oauth from 'oauth4webapi'
import { z } from 'zod'

import { CallFailure } from '../failure.ts'
import { isLoopback } from '../oauth/provider.ts'
import type { BoundFetch } from './bound-fetch.ts'
import type { Refusal } from './next-step.ts'

export interface Api {
  readonly baseUrl: string
  readonly fetch: BoundFetch
}

// Only the fields that we know are passed on: whatever else the API adds may be confidential.
const itemSchema = z.object({ id: z.union([z.string(), z.number()]), title: z.string() })
const itemsSchema = z
  .union([z.array(itemSchema), z.object({ items: z.array(itemSchema) })])
  .transform((answer) => (Array.isArray(answer) ? answer : answer.items))

export type Item = z.infer<typeof itemSchema>

export type Attempt =
  | { readonly done: true; readonly items: readonly Item[] }
  | { readonly done: false; readonly refusal: Refusal; readonly scopes: readonly string[] }

/** Throws a CallFailure for everything but success and a refusal that authorization could cure. */
export async function fetchItems(api: Api, accessToken: string): Promise<Attempt> {
  const answer = await send(api, accessToken)
  if (!(answer instanceof Response)) return answer
  if (!answer.ok) throw new CallFailure('service-failed', `It answered with HTTP ${answer.status}.`)
  const body = itemsSchema.safeParse(await answer.json().catch(() => undefined))
  if (!body.success) throw new CallFailure('service-failed', 'Its answer was not understood.')
  return { done: true, items: body.data }
}

async function send(api: Api, accessToken: string): Promise<Response | Attempt> {
  const url = new URL(`${api.baseUrl}/items`)
  const headers = new Headers({ accept: 'application/json' })
  try {
    const response = await oauth.protectedResourceRequest(accessToken, 'GET', url, headers, null, {
      [oauth.customFetch]: api.fetch,
      [oauth.allowInsecureRequests]: isLoopback(api.baseUrl),
    })
    // Many APIs leave out the challenge that RFC 6750 §3 demands with a 401.
    return response.status === 401 ? refused('invalid_token') : response
  } catch (error) {
    if (!(error instanceof oauth.WWWAuthenticateChallengeError)) {
      throw new CallFailure('service-unavailable')
    }
    if (error.status === 401) return refused('invalid_token')
    const challenge = error.cause.find(({ scheme }) => scheme === 'bearer')?.parameters
    if (error.status === 403 && challenge?.error === 'insufficient_scope') {
      return refused('insufficient_scope', challenge.scope)
    }
    throw new CallFailure('service-failed', `It answered with HTTP ${error.status}.`)
  }
}

function refused(refusal: Refusal, scope = ''): Attempt {
  return { done: false, refusal, scopes: scope.split(' ').filter(Boolean) }
}
