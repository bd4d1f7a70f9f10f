/** Which API a request is for, whatever base URL the runtime was given. */

import type { ModelApi } from './model-request.ts'

export type Route =
  | { readonly kind: 'ask'; readonly api: ModelApi }
  | { readonly kind: 'list' }
  | { readonly kind: 'retrieve'; readonly model: string }
  | { readonly kind: 'unknown' }

const asks = /\/(chat\/completions|responses|messages)\/?$/
const lists = /\/models\/?$/
const retrieves = /\/models\/(.+)$/

/** Only the end of the path counts: `/v1`, a doubled `/v1/v1` and any prefix work alike. */
export function routeOf(path: string): Route {
  const asked = asks.exec(path)?.[1]
  if (asked === 'chat/completions') return { kind: 'ask', api: 'chat-completions' }
  if (asked === 'responses' || asked === 'messages') return { kind: 'ask', api: asked }
  if (lists.test(path)) return { kind: 'list' }
  const model = retrieves.exec(path)?.[1]
  return model === undefined ? { kind: 'unknown' } : { kind: 'retrieve', model: decoded(model) }
}

/** True if the client expects Anthropic's shapes: it asks for them, or sends a version. */
export function speaksAnthropic(route: Route, headers: Readonly<Record<string, string>>): boolean {
  if (route.kind === 'ask') return route.api === 'messages'
  return 'anthropic-version' in headers
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
