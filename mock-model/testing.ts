/** What the tests of the scripted model share: a started one that remembers its events. */

import { onTestFinished } from 'vitest'
import type { Decide, ModelEvent, ModelRequestEvent, ModelResponseEvent } from './model-reply.ts'
import type { ModelRequest } from './model-request.ts'
import { startScriptedModel, type ScriptedModel } from './start-scripted-model.ts'

export interface WatchedModel extends ScriptedModel {
  readonly events: readonly ModelEvent[]
  readonly requests: readonly ModelRequestEvent[]
  readonly responses: readonly ModelResponseEvent[]
  /** What the script was asked, in order. */
  readonly asked: readonly ModelRequest[]
}

/** Starts a model that is closed when the test ends. With `origin` it has no port. */
export async function watchModel(decide: Decide, origin?: string): Promise<WatchedModel> {
  const events: ModelEvent[] = []
  const asked: ModelRequest[] = []
  const model = await startScriptedModel({
    origin,
    onExchange: (event) => events.push(event),
    decide(request) {
      asked.push(request)
      return decide(request)
    },
  })
  onTestFinished(() => model.close())
  return Object.defineProperties(model as WatchedModel, {
    events: { value: events },
    requests: { get: () => events.filter(({ type }) => type === 'request') },
    responses: { get: () => events.filter(({ type }) => type === 'response') },
    asked: { value: asked },
  })
}

/** A tool to offer, in the terms of JSON Schema. */
export const repositorySchema = {
  type: 'object' as const,
  properties: { owner: { type: 'string' } },
  required: ['owner'],
  additionalProperties: false,
}

/** Arguments that are streamed in several pieces, with characters beyond the BMP. */
export const repositoryArguments = { owner: 'ada 🦊'.repeat(12), page: { size: 2, of: [1, null] } }

/** Posts a body as it is; the answer is read completely. */
export async function post(
  model: ScriptedModel,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string; json: unknown }> {
  const response = await model.fetch(
    new Request(model.origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  )
  const text = await response.text()
  const isJson = response.headers.get('content-type') === 'application/json'
  return { status: response.status, text, json: isJson ? JSON.parse(text) : undefined }
}

/** Everything that an async iterable yields. */
export async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
