/** Answers `GET /models` and `GET /models/{id}` in either provider's form. */

import type { Outcome } from './answer-exchange.ts'
import type { Route } from './routes.ts'
import { wrongMethod } from './understand.ts'

/** Any model is served; these are listed. */
const listedModels = ['scripted-model']

const created = 1_735_689_600

export function modelsDocument(
  route: ModelsRoute,
  method: string,
  anthropic: boolean,
): Exclude<Outcome, { failure: unknown }> {
  if (method !== 'GET') return { refusal: wrongMethod(method) }
  const body = anthropic ? anthropicBody(route) : openAiBody(route)
  return { written: { body }, toolCalls: [] }
}

type ModelsRoute = Extract<Route, { kind: 'list' | 'retrieve' }>

function openAiBody(route: ModelsRoute) {
  const modelOf = (id: string) => ({ id, object: 'model', created, owned_by: 'scripted-model' })
  if (route.kind === 'retrieve') return modelOf(route.model)
  return { object: 'list', data: listedModels.map(modelOf) }
}

function anthropicBody(route: ModelsRoute) {
  const created_at = new Date(created * 1000).toISOString()
  const modelOf = (id: string) => ({ type: 'model', id, display_name: id, created_at })
  if (route.kind === 'retrieve') return modelOf(route.model)
  const data = listedModels.map(modelOf)
  return { data, has_more: false, first_id: data[0]?.id, last_id: data.at(-1)?.id }
}
