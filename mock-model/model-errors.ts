/** Writes errors in the shape of the API that was called. */

import type { Refusal } from './reading.ts'

/** `{ error: { message, type, param, code } }` of OpenAI. */
export function openAiError({ status, message, param, code }: Refusal) {
  return {
    error: {
      message,
      type: status >= 500 ? 'server_error' : (openAiTypes[status] ?? 'invalid_request_error'),
      param: param ?? null,
      code: code ?? openAiCodes[status] ?? null,
    },
  }
}

const openAiTypes: Readonly<Record<number, string>> = { 429: 'requests' }
const openAiCodes: Readonly<Record<number, string>> = {
  401: 'invalid_api_key',
  429: 'rate_limit_exceeded',
}

/** `{ type: 'error', error: { type, message }, request_id }` of Anthropic. */
export function anthropicError({ status, message }: Refusal, requestId: string) {
  const type = anthropicTypes[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')
  return { type: 'error' as const, error: { type, message }, request_id: requestId }
}

/** `{ error: { code, message, status } }` of Google's APIs. */
export function geminiError({ status, message }: Refusal) {
  const name = geminiNames[status] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT')
  return { error: { code: status, message, status: name } }
}

const geminiNames: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

const anthropicTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}
