/** Decides whether a request to the redirect URI is the answer to one of our authorizations. */

import * as oauth from 'oauth4webapi'

import { CallFailure, type FailureCode } from '../failure.ts'
import { flowKey, type Flow, type Flows } from './flows.ts'
import type { Provider } from './provider.ts'

/**
 * Finds the flow that this state was made for. Undefined when the state is missing, sent twice,
 * unknown, used or expired.
 */
export function validateState(query: URLSearchParams, flows: Flows): Flow | undefined {
  const [state, ...more] = query.getAll('state')
  if (state === undefined || state === '' || more.length > 0) return undefined
  return flows.find(flowKey(state))
}

/** Whether the provider says anything at all; if not, the flow stays as it is. */
export function isAnswer(query: URLSearchParams): boolean {
  return [query.get('code'), query.get('error')].some(Boolean)
}

/**
 * Checks the answer to a known state; throws a CallFailure unless it carries a code to exchange.
 * Includes the issuer check against mix-up (RFC 9207 §2.4).
 */
export function validateResponse(provider: Provider, query: URLSearchParams): URLSearchParams {
  try {
    // The state was validated when it led to its flow; there is no second one to compare with.
    const { server, client } = provider
    return oauth.validateAuthResponse(server, client, query, oauth.skipStateCheck)
  } catch (error) {
    if (!(error instanceof oauth.AuthorizationResponseError)) {
      throw new CallFailure('authorization-rejected')
    }
    // Only known codes (RFC 6749 §4.1.2.1) are worth a sentence; no text of the provider's is copied.
    const [code, detail] = denials[error.error] ?? ['authorization-failed']
    throw new CallFailure(code, detail)
  }
}

const denials: Readonly<Record<string, readonly [code: FailureCode, detail?: string] | undefined>> =
  {
    access_denied: ['authorization-denied'],
    invalid_scope: ['authorization-failed', 'It does not offer the permissions that are needed.'],
    unauthorized_client: ['authorization-failed', 'It does not accept this server.'],
    server_error: ['authorization-failed', 'It had an internal error. Please try again.'],
    temporarily_unavailable: ['authorization-failed', 'It is overloaded. Please try again later.'],
  }
