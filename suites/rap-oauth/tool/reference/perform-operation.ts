/** Carries out an operation at the protected API with an access token (RFC 6750). */

import * as oauth from 'oauth4webapi'
import { z } from 'zod'

import { CallFailure } from './failure.ts'
import type { OperationRequest } from './operations.ts'
import type { Refusal } from './next-step.ts'
import type { BoundFetch } from './upstream.ts'

export interface Api {
  readonly baseUrl: string
  readonly fetch: BoundFetch
}

export type Attempt =
  | { readonly done: true; readonly text: string }
  | { readonly done: false; readonly refusal: Refusal; readonly scopes: readonly string[] }

// Only the fields that we know are passed on: whatever else the API adds may be confidential.
const itemSchema = z.object({ id: z.union([z.string(), z.number()]), title: z.string() })
const itemsSchema = z
  .union([z.array(itemSchema), z.object({ items: z.array(itemSchema) })])
  .transform((answer) => (Array.isArray(answer) ? answer : answer.items))

/** Throws a CallFailure for everything but success and a refusal that authorization could cure. */
export async function performOperation(
  api: Api,
  request: OperationRequest,
  accessToken: string,
): Promise<Attempt> {
  const answer = await send(api, request, accessToken)
  if (!(answer instanceof Response)) return answer
  if (!answer.ok) throw new CallFailure('service-failed', `It answered with HTTP ${answer.status}.`)
  const schema = request.operation === 'list_items' ? itemsSchema : itemSchema
  const body = schema.safeParse(await answer.json().catch(() => undefined))
  if (!body.success) throw new CallFailure('service-failed', 'Its answer was not understood.')
  return { done: true, text: JSON.stringify(body.data) }
}

async function send(
  api: Api,
  request: OperationRequest,
  accessToken: string,
): Promise<Response | Attempt> {
  const url = new URL(`${api.baseUrl}/items`)
  const [method, body] =
    request.operation === 'list_items'
      ? (['GET', null] as const)
      : (['POST', JSON.stringify({ title: request.arguments.title })] as const)
  const headers = new Headers({ accept: 'application/json' })
  if (body !== null) headers.set('content-type', 'application/json')
  try {
    const response = await oauth.protectedResourceRequest(accessToken, method, url, headers, body, {
      [oauth.customFetch]: api.fetch,
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
