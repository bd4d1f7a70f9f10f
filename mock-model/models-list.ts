/** Answers `GET /models` and `GET /models/{id}` in the form of the provider that is asked. */

import type { Outcome } from './answer-exchange.ts'
import type { Dialect, Route } from './routes.ts'
import { wrongMethod } from './understand.ts'

/** Any model is served; these are listed. */
const listedModels = ['scripted-model']

const created = 1_735_689_600

export function modelsDocument(
  route: ModelsRoute,
  method: string,
  dialect: Dialect,
): Exclude<Outcome, { failure: unknown }> {
  if (method !== 'GET') return { refusal: wrongMethod(method) }
  const body = bodies[dialect](route)
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

function geminiBody(route: ModelsRoute) {
  const supportedGenerationMethods = ['generateContent', 'streamGenerateContent']
  const modelOf = (id: string) => ({
    name: `models/${id}`,
    displayName: id,
    supportedGenerationMethods,
  })
  if (route.kind === 'retrieve') return modelOf(route.model)
  return { models: listedModels.map(modelOf) }
}

const bodies = { openai: openAiBody, anthropic: anthropicBody, gemini: geminiBody }
