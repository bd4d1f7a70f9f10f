/** Makes a model request out of an HTTP request, or says how the API refuses it. */

import type { Body } from './body.ts'
import type { ApiAdapter } from './api-adapter.ts'
import type { ModelApi, ModelRequest } from './model-request.ts'
import type { Refusal } from './reading.ts'
import { parseBody } from './request-body.ts'
import type { Route } from './routes.ts'

export interface Arrived {
  readonly exchange: string
  readonly method: string
  readonly route: Extract<Route, { kind: 'ask' | 'unknown' }>
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
  readonly adapters: Readonly<Record<ModelApi, ApiAdapter>>
}

export type Understood = { readonly request: ModelRequest } | { readonly refusal: Refusal }

export function understand(arrived: Arrived): Understood {
  const { exchange, method, route, headers, body, adapters } = arrived
  if (route.kind === 'unknown') return { refusal: { status: 404, message: 'Unknown request URL.' } }
  if (method !== 'POST') return { refusal: wrongMethod(method) }
  const parsed = parseBody(body)
  if ('refusal' in parsed) return parsed
  const { api } = route
  const reading = adapters[api].read(parsed.raw, route)
  if ('refusal' in reading) return reading
  const { model, stream, conversation, tools } = reading
  const { system, messages, images } = conversation
  return {
    request: {
      exchange,
      api,
      stream,
      model,
      ...(system === undefined ? {} : { system }),
      messages,
      tools,
      images,
      raw: parsed.raw,
      headers,
    },
  }
}

export function wrongMethod(method: string): Refusal {
  return { status: 405, message: `Not allowed to ${method} here.` }
}
