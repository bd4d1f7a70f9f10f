/** What the scripted agent says: a credential request in either dialect, what comes before and after it, and the result. */

import { randomBytes } from 'node:crypto'
import { requestName, type Dialect, type Fields } from '../wire.ts'
import { finalText } from './vocabulary.ts'

/** How a request differs from the usual one. */
export interface AskOptions {
  /** Names of members as the agent in JavaScript writes them: function_call_id, auth_config. */
  readonly snake?: true
  /** It is about a set of tools, as that in Python asks before any call. */
  readonly toolset?: true
  /** The parameter redirect_uri of the authorization URL: a value, or empty as JavaScript leaves it; default: absent. */
  readonly redirectUri?: string
  /** In place of the authorization endpoint: what stands behind it is that of any authorization request. */
  readonly endpoint?: string
  /** In place of the whole authorization URL. */
  readonly authUri?: string
  /** Text, partial events, unknown members, and events without content around the request. */
  readonly chatty?: true
  /** The state has characters that mean something in a query: it comes back encoded (RFC 6749 §A.5 allows them). */
  readonly reservedState?: true
}

/** Where the provider is, and who the agent is there. */
export interface AtProvider {
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  readonly clientId: string
}

/** One credential request of the script. */
export interface Ask {
  readonly call: string
  readonly dialect: Dialect
  readonly id: string
  /** The call that waits for it. */
  readonly paused: string
  readonly tool: string
  readonly state: string
  readonly authUri: string
  readonly config: Fields
  readonly options: AskOptions
}

const scope = 'items:read'
const token = (prefix: string, bytes = 8): string => prefix + randomBytes(bytes).toString('hex')

/** A new request, with ids, state and key of its own. */
export function newAsk(
  call: string,
  nth: number,
  dialect: Dialect,
  at: AtProvider,
  options: AskOptions,
): Ask {
  const provider = { ...at, authorizationEndpoint: options.endpoint ?? at.authorizationEndpoint }
  const state =
    `St${randomBytes(18).toString('base64url')}` + (options.reservedState ? '/+a=b%25&c' : '')
  const authUri = options.authUri ?? authUriFor(provider, state, options.redirectUri)
  const tool = ['list_items', 'list_notes'][nth] ?? 'list_items'
  const paused = options.toolset ? '_adk_toolset_auth_ItemsToolset' : token('adk-')
  const common = { call, dialect, paused, tool, state, authUri, options }
  const key = `${tool}_${token('', 4)}`
  return dialect === 'call'
    ? { ...common, id: token('adk-'), config: callConfig(provider, key, authUri, state) }
    : { ...common, id: paused, config: responseConfig(provider, key, options) }
}

/** Values that decoding and encoding anew would change. */
function authUriFor({ authorizationEndpoint, clientId }: AtProvider, state: string, at?: string) {
  const redirect = at === undefined ? '' : `&redirect_uri=${encodeURIComponent(at)}`
  return `${authorizationEndpoint}?response_type=code&client_id=${clientId}${redirect}&scope=items%3Aread&state=${encodeURIComponent(state)}&access_type=offline&prompt=consent&login_hint=ann%2Bwork%40example.com`
}

function callConfig(provider: AtProvider, key: string, authUri: string, state: string): Fields {
  const { authorizationEndpoint, tokenEndpoint, clientId } = provider
  const flow = {
    authorizationUrl: authorizationEndpoint,
    tokenUrl: tokenEndpoint,
    scopes: { [scope]: 'read' },
  }
  return {
    authScheme: { type: 'oauth2', flows: { authorizationCode: flow } },
    rawAuthCredential: { authType: 'oauth2', oauth2: { clientId } },
    exchangedAuthCredential: { authType: 'oauth2', oauth2: { clientId, authUri, state } },
    credentialKey: key,
  }
}

/** Without a URL: in this dialect the application has it made. */
function responseConfig(provider: AtProvider, key: string, options: AskOptions): Fields {
  const { authorizationEndpoint, tokenEndpoint, clientId } = provider
  const flow = {
    authorization_url: options.authUri ?? authorizationEndpoint,
    token_url: tokenEndpoint,
    scopes: { [scope]: 'read' },
  }
  const oauth2 = { client_id: clientId, redirect_uri: options.redirectUri ?? '', scopes: [scope] }
  return {
    auth_scheme: { scheme_type: 'o_auth2', flows: { authorization_code: flow } },
    raw_auth_credential: { auth_type: 'o_auth2', oauth2 },
    credential_key: key,
  }
}

/** An event without what all have. */
function event(role: string | undefined, parts: readonly unknown[], more: Fields = {}): Fields {
  const content = role === undefined ? { parts } : { role, parts }
  return {
    id: token('ev'),
    invocationId: token('e-'),
    author: 'helper',
    timestamp: Date.now() / 1000,
    content,
    longRunningToolIds: [],
    actions: { stateDelta: {}, artifactDelta: {}, requestedAuthConfigs: {} },
    ...more,
  }
}

const says = (text: string, more: Fields = {}): Fields => event('model', [{ text }], more)

/** What the client application has said, as its session has it. */
export function saidEvent(parts: readonly unknown[]): Fields {
  return event('user', parts, { author: 'user' })
}

/** The model's words at the end of a turn. */
export function finalEvent(text = `${finalText}.`): Fields {
  return says(text)
}

/** The turn that pauses: the calls, their requests in one event, and what stands in for the results. */
export function pausingEvents(asks: readonly Ask[]): Fields[] {
  const [first] = asks
  if (!first) return [finalEvent()]
  const { toolset, chatty } = first.options
  const calls = asks.map(({ paused: id, tool: name }) => ({ functionCall: { id, name, args: {} } }))
  const requests = event(
    toolset ? undefined : first.dialect === 'call' ? 'user' : 'tool',
    asks.map(requestPart),
    { longRunningToolIds: asks.map(({ id }) => id) },
  )
  const stands = asks.map(({ paused: id, tool: name }) => ({
    functionResponse: { id, name, response: { result: 'Pending User Authorization.' } },
  }))
  const placeholder = event('user', stands, {
    actions: {
      stateDelta: {},
      requestedAuthConfigs: Object.fromEntries(asks.map(({ paused, config }) => [paused, config])),
    },
  })
  const around = chatty
    ? [says('Let me ', { partial: true }), says('Let me look.'), { id: token('ev'), unknown: [1] }]
    : []
  return [
    ...around,
    ...(toolset ? [] : [event('model', calls)]),
    chatty ? { ...requests, customMetadata: { a: 1 } } : requests,
    ...(toolset || first.dialect === 'response' ? [] : [placeholder]),
    ...(chatty ? [{ id: token('ev'), actions: { stateDelta: { seen: true } } }] : []),
  ]
}

function requestPart({ dialect, id, paused, config, options }: Ask): Fields {
  if (dialect === 'response')
    return { functionResponse: { id, name: requestName, willContinue: true, response: config } }
  const args = options.snake
    ? { function_call_id: paused, auth_config: config }
    : { functionCallId: paused, authConfig: config }
  return { functionCall: { id, name: requestName, args } }
}

/** The result of a call that was replayed. */
export function resultEvent({ paused: id, tool: name }: Ask): Fields {
  const response = { result: [{ id: '1', title: 'Welcome' }] }
  return event('user', [{ functionResponse: { id, name, response } }])
}

/** The credential that is made of a callback, in the dialect of responses. */
export function madeCredential(clientId: string, accessToken: string): Fields {
  const oauth2 = {
    client_id: clientId,
    access_token: accessToken,
    expires_at: Math.round(Date.now() / 1000) + 3600,
  }
  return { auth_type: 'o_auth2', oauth2 }
}
