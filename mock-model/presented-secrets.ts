/** Finds the API keys that a client presents; any is accepted. */

import type { PresentedSecret } from './model-reply.ts'

const keyHeaders = ['x-api-key', 'api-key', 'x-goog-api-key']

/** OpenAI's and Anthropic's ways, Azure's `api-key` and Google's header. */
export function presentedSecrets(headers: Readonly<Record<string, string>>): PresentedSecret[] {
  const credentials = headers.authorization?.replace(/^\S+\s+/, '')
  const keys = [credentials, ...keyHeaders.map((name) => headers[name])]
  const present = keys.flatMap((key) => key?.trim() || [])
  return [...new Set(present)].map((value) => ({ kind: 'model_api_key', value }))
}
