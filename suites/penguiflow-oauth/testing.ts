/** Hand-written recordings for the tests of the checks. */

import type { JudgingContext, Sighting } from '../../harness/engine/index.ts'
import { ClientRecording, type Cases as CasesOf, type ExampleOptions } from '../testing.ts'
import type { Declared } from './planner/configuration.ts'

export type Cases = CasesOf<Declared>

type Fields = Readonly<Record<string, unknown>>

/** The payload of a pause as it should be. */
const payload = {
  pause_type: 'oauth',
  provider: 'items',
  auth_url: 'https://127.0.0.1:4200/authorize?state=s',
  state: '[secret pending_state-1]',
  scopes: ['items:read'],
  display_name: 'Items',
}

/** Facts about a handle as it should be. */
const facts = { length: 32, bits: 120, holds: [] }

/** Writes a transcript in the protocol's terms: a user speaks, the run pauses, and is resumed. */
export class Recording extends ClientRecording {
  #calls = 0
  #pauses = 0
  #exchanges = 0
  /** Who has begun last. */
  #user = 'user-1'

  /** A user says what makes the model call the tool: `call-1`, `call-2` ... */
  begin(user = 'user-1', ...tools: readonly string[]): this {
    this.#calls += 1
    const conversation = `conversation-${this.#calls}`
    this.#user = user
    this.on(`call-${this.#calls}`)
    this.step('begin', { user, conversation, tool: 'items_list', arguments: {} })
    this.step('message', { user, conversation, text: 'Please.' })
    return this.called(...(tools.length > 0 ? tools : ['items_list']))
  }

  /** The model is asked, and calls tools. */
  called(...tools: readonly string[]): this {
    this.step('model-asked', { messages: [{ role: 'user', text: 'Please.' }] })
    for (const name of tools) this.step('model-called', { id: 'm-1', name })
    return this
  }

  /** The model is told these results of tools, each with the name of its tool. */
  told(...results: readonly (readonly [tool: string, text: string])[]): this {
    const messages = results.flatMap(([name, text], index) => [
      { role: 'assistant', text: '', toolCalls: [{ id: `m-${index}`, name }] },
      { role: 'tool', text, toolResults: [{ callId: `m-${index}`, text }] },
    ])
    return this.step('model-asked', { messages })
  }

  /** The model is told what came of a step as JSON in a message. */
  observed(branch: Fields): this {
    const text = JSON.stringify({ observation: { branches: [branch] } })
    return this.step('model-asked', { messages: [{ role: 'user', text }] })
  }

  paused(changes: Fields = {}, more: Fields = {}): this {
    this.#pauses += 1
    return this.step('paused', {
      handle: `[secret resume_handle-${this.#pauses}]`,
      reason: 'external_event',
      payload: { ...payload, state: `[secret pending_state-${this.#pauses}]`, ...changes },
      facts,
      ...more,
    })
  }

  /** Up to the pause. */
  asked(user = 'user-1'): this {
    return this.begin(user).paused()
  }

  consent(user = 'user-1', action = 'approve'): this {
    return this.provider('decision', { action, subject: `subject-of-${user}` })
  }

  /** The URL was opened, and resolved by the provider. */
  requested(detail: Fields = {}): this {
    const usual = { valid: true, clientId: 'client-1', state: 's', scopes: ['items:read'] }
    return this.provider('authorization-request', { ...usual, ...detail })
  }

  /** The browser comes back, and is answered. */
  callback(parameters: Readonly<Record<string, string>> = { code: 'c', state: 's' }): this {
    this.#exchanges += 1
    const place = { channel: 'browser', exchange: `x${this.#exchanges}`, ...this.belongs() }
    const url = `http://127.0.0.1:9555/callback?${new URLSearchParams(parameters).toString()}`
    return this.event({ type: 'request', ...place, method: 'GET', url, headers: {} }).event({
      type: 'response',
      ...place,
      status: 200,
      headers: {},
    })
  }

  /** The code is sent to the token endpoint. */
  tokenRequest(): this {
    this.#exchanges += 1
    const place = { channel: 'provider', exchange: `x${this.#exchanges}`, ...this.belongs() }
    const url = 'https://127.0.0.1:4200/token'
    return this.event({ type: 'request', ...place, method: 'POST', url, headers: {} })
  }

  /** What its adapter says became of a callback. */
  took(outcome: 'stored' | 'refused' = 'stored', more: Fields = {}): this {
    return this.step('callback-taken', { outcome, ...more })
  }

  notGranted(): this {
    return this.provider('grant', { grantType: 'authorization_code', outcome: 'refused' })
  }

  granted(): this {
    return this.provider('grant', {
      grantType: 'authorization_code',
      outcome: 'issued',
      issued: ['access_token-1'],
    })
  }

  resume(input = 'oauth_completed', user = this.#user): this {
    return this.step('resume', { user, handle: '[secret resume_handle-1]', input })
  }

  /** A request to the API with the token of the call. */
  access(detail: Fields = {}): this {
    const usual = { token: 'access_token-1', outcome: 'served' }
    return this.provider('resource-access', { ...usual, ...detail })
  }

  refreshed(): this {
    return this.provider('grant', { grantType: 'refresh_token', outcome: 'issued' })
  }

  /** A request to the API as it arrives, with whatever it carries. */
  apiRequest(): this {
    this.#exchanges += 1
    return this.event({
      type: 'request',
      channel: 'provider',
      exchange: `x${this.#exchanges}`,
      method: 'GET',
      url: 'https://127.0.0.1:4200/resource/items',
      headers: {},
    })
  }

  /** A request to the model as it was sent. */
  modelRequest(...secrets: Sighting[]): this {
    this.#exchanges += 1
    const place = { channel: 'model', exchange: `x${this.#exchanges}`, method: 'POST' } as const
    return this.event({ type: 'request', ...place, url: 'http://m/v1', headers: {} }, ...secrets)
  }

  toolRun(): this {
    return this.step('tool-run', { tool: 'items_list' })
  }

  finished(text = 'Noted.'): this {
    return this.step('finished', { text })
  }

  failed(kind = 'KeyError', message = 'unknown'): this {
    return this.step('run-failed', { kind, message })
  }

  printed(source: string, text: string, ...secrets: Sighting[]): this {
    return this.event({ type: 'output', source, text, bytes: text.length }, ...secrets)
  }

  /** The whole of it, as it should be. */
  served(user = 'user-1'): this {
    return this.asked(user)
      .consent(user)
      .granted()
      .resume()
      .called('items_list')
      .access()
      .told(['items_list', `Welcome, subject-of-${user}`])
      .finished()
  }
}

export const recording = (scenario = 'a-scenario', startsAt?: number): Recording =>
  new Recording(scenario, startsAt)

/** A secret that was seen in an event. */
export function sighting(kind: string, id = `${kind}-1`): Sighting {
  return { id, kind, encoding: 'raw', at: 'body.text' }
}

const declared: Declared = {
  durable: true,
  callPath: 'own',
  handles: 'made',
  tool: 'items_list',
  secondProvider: 'notes_list',
  secondClient: 'client-1-2',
  logs: undefined,
  page: true,
}

/** What checks know beside the transcript, with what a vendor declared. */
export const options: ExampleOptions<Declared> = {
  context: (declarations, control): JudgingContext<Declared> => ({
    declared: { ...declared, ...declarations },
    timing: { ackMs: 2000, stepMs: 5000, observeMs: 1000, maxWaitMs: 30_000, graceMs: 1500 },
    control,
  }),
}
