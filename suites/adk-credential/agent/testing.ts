/** Hand-written recordings for the tests of the checks. */

import type { JudgingContext, Sighting } from '../../../harness/engine/index.ts'
import { ClientRecording, type Cases as CasesOf, type ExampleOptions } from '../../testing.ts'
import type { Fields } from '../wire.ts'
import type { Declared } from './configuration.ts'

export type Cases = CasesOf<Declared>

const agent = 'http://127.0.0.1:4100'
const provider = 'https://127.0.0.1:4200'
const authUri = `${provider}/authorize?client_id=c&state=s`

/** The AuthConfig of a request in the dialect of calls. */
const authConfig = {
  authScheme: { type: 'oauth2', flows: {} },
  rawAuthCredential: { authType: 'oauth2', oauth2: { clientId: 'c' } },
  exchangedAuthCredential: { authType: 'oauth2', oauth2: { authUri, state: 's' } },
}

export const standIn = { result: 'Pending User Authorization.' }

/** Events as an agent writes them. */
export const said = {
  text: (text = 'Noted.'): Fields => ({ content: { role: 'model', parts: [{ text }] } }),
  call: (id = 'paused-1', name = 'list_items'): Fields => ({
    content: { role: 'model', parts: [{ functionCall: { id, name, args: {} } }] },
  }),
  request: (id = 'request-1', functionCallId: unknown = 'paused-1', changes: Fields = {}) => ({
    content: {
      role: 'user',
      parts: [
        {
          functionCall: {
            id,
            name: 'adk_request_credential',
            args: { functionCallId, authConfig: { ...authConfig, ...changes } },
          },
        },
      ],
    },
    longRunningToolIds: [id],
  }),
  result: (response: Fields, id = 'paused-1', name = 'list_items', event: Fields = {}): Fields => ({
    content: { role: 'user', parts: [{ functionResponse: { id, name, response } }] },
    ...event,
  }),
}

/** What a tool gives for the account of a user. */
export const items = (user = 'user-1'): Fields => ({ titles: [`Welcome, subject-of-${user}`] })

interface Place {
  readonly channel: string
  readonly exchange: string
  readonly call?: string
}

/** Writes a transcript in the protocol's terms: a message is sent, and answered with events. */
export class Recording extends ClientRecording {
  readonly #open: Place[] = []
  #calls = 0
  #exchanges = 0

  /** Something that is asked at the consent leg, and how it is answered. */
  consent(status = 200): this {
    const place = this.#place('consent')
    const url = `${agent}/consent/complete`
    this.event({ type: 'request', ...place, method: 'POST', url, headers: {} })
    return this.event({ type: 'response', ...place, status, headers: {} })
  }

  /** A user asks for something: `call-1`, `call-2` ... */
  begin(user = 'user-1', tool = 'list_items', given: Fields = {}): this {
    this.#calls += 1
    const session = `session-${this.#calls}`
    this.on(`call-${this.#calls}`)
    this.step('begin', { user, session, reference: 'ref-1', tool, arguments: given })
    return this.send([{ text: 'Please.' }])
  }

  #at = `${agent}/run`

  /** What is sent from here on is a command of an adapter. */
  throughAdapter(): this {
    this.#at = 'adapter:respond'
    return this
  }

  /** A message of the client application. */
  send(parts: readonly Fields[], ...secrets: Sighting[]): this {
    const place = this.#place('api')
    this.#open.push(place)
    const text = JSON.stringify({ newMessage: { role: 'user', parts } })
    return this.event(
      {
        type: 'request',
        ...place,
        method: 'POST',
        url: this.#at,
        headers: {},
        body: { text, bytes: text.length },
      },
      ...secrets,
    )
  }

  /** The newest message that is unanswered is answered with these events. */
  events(events: readonly Fields[], ...secrets: Sighting[]): this {
    return this.answered(200, JSON.stringify(events), ...secrets)
  }

  answered(status: number, text = '[]', ...secrets: Sighting[]): this {
    const place = this.#open.pop()!
    const body = { text, bytes: text.length }
    return this.event({ type: 'response', ...place, status, headers: {}, body }, ...secrets)
  }

  failed(code = 'ECONNRESET'): this {
    return this.event({ type: 'failure', ...this.#open.pop()!, code, message: 'reset' })
  }

  /** The model is asked, with these results of tools in what it is given, and calls tools. */
  model(results: readonly string[] = [], ...calls: readonly string[]): this {
    const toolResults = results.map((text, index) => ({ callId: `m-${index}`, text }))
    const messages = [
      { role: 'user', text: 'Please.' },
      ...(results.length > 0 ? [{ role: 'tool', text: results.join('\n'), toolResults }] : []),
    ]
    this.step('model-asked', { messages })
    for (const name of calls) this.step('model-called', { id: 'm-0', name })
    return this
  }

  /** The model is asked, and this stands in what it is given. */
  heard(text: string, role = 'user'): this {
    return this.step('model-asked', { messages: [{ role, text }] })
  }

  /** A request to the model as it was sent. */
  modelRequest(...secrets: Sighting[]): this {
    const place = this.#place('model')
    const url = 'http://127.0.0.1:4300/v1beta/models/m:generateContent'
    return this.event({ type: 'request', ...place, method: 'POST', url, headers: {} }, ...secrets)
  }

  /** Up to the events by which the agent asks, and pauses. */
  asked(user = 'user-1', request: Fields = said.request(), given: Fields = {}): this {
    return this.begin(user, 'list_items', given)
      .model([], 'list_items')
      .events([said.call(), request, said.result(standIn)])
  }

  /** The browser is back at the client application, which answers; the answer of the agent comes later. */
  callback(parameters: Record<string, string> = { code: 'c', state: 's' }): this {
    const place = this.#place('browser')
    const url = `http://127.0.0.1:9555/callback?${new URLSearchParams(parameters).toString()}`
    this.event({ type: 'request', ...place, method: 'GET', url, headers: {} })
    this.#browser = place
    return this.send([{ functionResponse: { id: 'request-1', name: 'adk_request_credential' } }])
  }

  #browser: Place | undefined

  /** The agent has answered, and the browser gets its page. */
  back(events: readonly Fields[] = [], status = 200): this {
    this.answered(status, JSON.stringify(events))
    return this.event({ type: 'response', ...this.#browser!, status, headers: {} })
  }

  decision(subject = 'subject-of-user-1', action = 'approve'): this {
    return this.provider('decision', { action, subject })
  }

  authorizationRequest(state = 's', detail: Record<string, unknown> = {}): this {
    return this.provider('authorization-request', { state, valid: true, ...detail })
  }

  /** The provider answered a token request. */
  grant(detail: Record<string, unknown> = {}): this {
    const issued = ['access_token-1', 'refresh_token-1']
    return this.provider('grant', {
      grantType: 'authorization_code',
      outcome: 'issued',
      issued,
      ...detail,
    })
  }

  /** A request to the protected API. */
  access(detail: Record<string, unknown> = {}): this {
    return this.provider('resource-access', {
      token: 'access_token-1',
      route: 'GET /resource/items',
      outcome: 'served',
      ...detail,
    })
  }

  /** The call has its result. */
  served(user = 'user-1'): this {
    return this.asked(user)
      .decision(`subject-of-${user}`)
      .callback()
      .grant()
      .access()
      .model([JSON.stringify(items(user))])
      .back([said.result(items(user)), said.text()])
  }

  /** The session is read. */
  read(session: Fields, ...secrets: Sighting[]): this {
    const place = this.#place('api')
    const url = `${agent}/apps/items/users/u/sessions/s`
    this.event({ type: 'request', ...place, method: 'GET', url, headers: {} })
    const text = JSON.stringify(session)
    const body = { text, bytes: text.length }
    return this.event({ type: 'response', ...place, status: 200, headers: {}, body }, ...secrets)
  }

  /** A request to the provider, as it arrives. */
  upstream(path: string): this {
    const place = this.#place('provider')
    return this.event({
      type: 'request',
      ...place,
      method: 'POST',
      url: provider + path,
      headers: {},
    })
  }

  #place(channel: string): Place {
    this.#exchanges += 1
    return { channel, exchange: `x${this.#exchanges}`, ...this.belongs() }
  }
}

export const recording = (scenario = 'a-scenario', startsAt?: number): Recording =>
  new Recording(scenario, startsAt)

/** A secret that was seen in an event. */
export function sighting(kind: string, id = `${kind}-1`): Sighting {
  return { id, kind, encoding: 'raw', at: 'body.text' }
}

const declared: Declared = {
  pendingTimeoutMs: undefined,
  refreshTokens: true,
  scopes: ['items:read'],
  tool: 'list_items',
  dialect: 'call',
  otherCredential: 'add_item',
  sameCredential: 'count_items',
  open: 'tell_time',
  otherArguments: true,
  credentials: 'user',
  durable: true,
  driven: 'command',
  redirectMatching: 'exact',
  tokenStore: ['{data.dir}'],
  logs: undefined,
}

/** What checks know beside the transcript, with what a vendor declared. */
export const options: ExampleOptions<Declared> = {
  context: (declarations, control): JudgingContext<Declared> => ({
    declared: { ...declared, ...declarations },
    timing: { ackMs: 2000, stepMs: 5000, observeMs: 1000, maxWaitMs: 30_000, graceMs: 1500 },
    control,
  }),
}

/** An event that asks in the dialect of responses. */
export const inResponse = (id: string) => ({
  content: {
    role: 'tool',
    parts: [
      {
        functionResponse: {
          id,
          name: 'adk_request_credential',
          response: { auth_scheme: { a: 1 }, raw_auth_credential: { b: 1 } },
        },
      },
    ],
  },
  longRunningToolIds: [id],
})
const asking = (request: Fields = said.request()) => recording().asked('user-1', request)

/** How requests are judged, wherever they are. */
export const requestCases = {
  'adk-credential/agent/request-carries-auth-config': {
    pass: { 'all of it': asking(), 'by a response': asking(inResponse('paused-1')) },
    violation: {
      'no scheme': asking(said.request('r', 'paused-1', { authScheme: {} })),
      'no raw credential': asking(said.request('r', 'paused-1', { rawAuthCredential: null })),
      'no URL': asking(said.request('r', 'paused-1', { exchangedAuthCredential: {} })),
    },
    inconclusive: { 'no request': recording().begin().events([said.text()]) },
  },
  'adk-credential/agent/request-names-paused-call': {
    pass: {
      'its id': asking(),
      'a toolset': asking(said.request('r', '_adk_toolset_auth_Items')),
      'by a response': asking(inResponse('paused-1')),
    },
    violation: {
      'another id': asking(said.request('r', 'another')),
      'no id': asking(said.request('r', 7)),
      'another id by a response': asking(inResponse('another')),
    },
    inconclusive: {
      'no event has the call': recording().begin().events([said.request()]),
      'no request': recording().begin().events([said.call()]),
    },
  },
  'adk-credential/agent/request-long-running': {
    pass: { listed: asking() },
    violation: {
      'not listed': asking({ ...said.request(), longRunningToolIds: [] }),
      'another is listed': asking({ ...said.request(), longRunningToolIds: ['paused-1'] }),
    },
    inconclusive: { 'no request': recording().begin().events([said.text()]) },
  },
} satisfies Record<string, Cases>
