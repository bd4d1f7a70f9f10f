/** Which API a request is for, whatever base URL the runtime was given. */

import type { ModelApi } from './model-request.ts'

export type Route =
  | AskRoute
  | { readonly kind: 'list' }
  | { readonly kind: 'retrieve'; readonly model: string }
  | { readonly kind: 'unknown' }

/** A question to the model; `model` and `stream` where the path names them. */
export interface AskRoute {
  readonly kind: 'ask'
  readonly api: ModelApi
  readonly model?: string
  readonly stream?: boolean
}

const generates = /\/models\/([^:]+):(generateContent|streamGenerateContent)\/?$/
const asks = /\/(chat\/completions|responses|messages)\/?$/
const lists = /\/models\/?$/
const retrieves = /\/models\/(.+)$/

/** Only the end of the path counts: `/v1`, a doubled `/v1/v1` and any prefix work alike. */
export function routeOf(path: string): Route {
  const generate = generates.exec(path)
  if (generate) {
    const stream = generate[2] === 'streamGenerateContent'
    return { kind: 'ask', api: 'generate-content', model: decoded(generate[1] ?? ''), stream }
  }
  const asked = asks.exec(path)?.[1]
  if (asked === 'chat/completions') return { kind: 'ask', api: 'chat-completions' }
  if (asked === 'responses' || asked === 'messages') return { kind: 'ask', api: asked }
  if (lists.test(path)) return { kind: 'list' }
  const model = retrieves.exec(path)?.[1]
  return model === undefined ? { kind: 'unknown' } : { kind: 'retrieve', model: decoded(model) }
}

/** Whose shapes of errors and lists a client expects. */
export type Dialect = 'openai' | 'anthropic' | 'gemini'

const dialects = {
  'chat-completions': 'openai',
  responses: 'openai',
  messages: 'anthropic',
  'generate-content': 'gemini',
} as const

/** The API that is asked; beside it, the vendor whose header is sent. */
export function dialectOf(route: Route, headers: Readonly<Record<string, string>>): Dialect {
  if (route.kind === 'ask') return dialects[route.api]
  if ('anthropic-version' in headers) return 'anthropic'
  return 'x-goog-api-key' in headers ? 'gemini' : 'openai'
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
