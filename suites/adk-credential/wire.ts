/** The events of ADK's REST API, and what of them hands a user over: in both dialects, in either casing of names. */

import { createParser } from 'eventsource-parser'
import { jsonOf, type Body } from '../../harness/engine/index.ts'

export type Fields = Readonly<Record<string, unknown>>

/** How an agent asks for a credential: by a call, as Google's do, or by a response, as adk-rs does. */
export type Dialect = 'call' | 'response'

/** The name of a credential request, and of the answer to it. */
export const requestName = 'adk_request_credential'

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {}
}

export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A member by its name in camelCase, or in snake_case where only that is there; one that is null is not there. */
export function member(fields: Fields, name: string): unknown {
  return fields[name] ?? fields[snake(name)] ?? undefined
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The events of an answer: a JSON array, or one of server-sent events; anything else has none. */
export function eventsIn(body: Body | undefined): readonly Fields[] {
  if (!body) return []
  const json = jsonOf(body)
  if (Array.isArray(json)) return json.map(fieldsOf)
  if (json !== undefined) return []
  const events: Fields[] = []
  const parser = createParser({
    onEvent: ({ data }) => events.push(fieldsOf(jsonOf({ text: data, bytes: data.length }))),
  })
  // A stream that was cut off has an event without its end.
  parser.feed(`${body.text}\n\n`)
  return events
}

/** What stands in a stream, or an answer, in place of events where the turn has failed. */
export function failureIn(events: readonly Fields[]): string | undefined {
  const failed = events.find(
    (event) => (event['error'] ?? '') !== '' && member(event, 'content') === undefined,
  )
  return failed && JSON.stringify(failed).slice(0, 300)
}

/** A call of a tool, or the result of one. */
export interface ToolPart {
  readonly id: string
  readonly name: string
  /** The arguments, or the response. */
  readonly value: Fields
}

/** What an event says in functions. Parts of a text that is still being streamed are none. */
export function functionsIn(event: Fields, kind: 'functionCall' | 'functionResponse'): ToolPart[] {
  if (event['partial'] === true) return []
  const parts = listIn(fieldsOf(event['content'])['parts'])
  return parts.flatMap((part) => {
    const found = member(fieldsOf(part), kind)
    if (found === undefined || found === null) return []
    const { id, name, args, response } = fieldsOf(found)
    const value = kind === 'functionCall' ? args : response
    return [{ id: textIn(id) ?? '', name: textIn(name) ?? '', value: fieldsOf(value) }]
  })
}

/** What asks the client application for a credential. */
export interface CredentialRequest {
  readonly dialect: Dialect
  /** By which it is answered. */
  readonly id: string
  /** The call that waits for it; of one by a response, its own id. */
  readonly paused: string | undefined
  /** The AuthConfig, as it came. */
  readonly config: Fields
  /** Whether its id is among the long-running ones of its event. */
  readonly longRunning: boolean
  /** The invocation that asked. */
  readonly invocation: string | undefined
}

export function requestsIn(event: Fields): CredentialRequest[] {
  const running = listIn(member(event, 'longRunningToolIds'))
  const invocation = textIn(member(event, 'invocationId'))
  const asked = (kind: 'functionCall' | 'functionResponse') =>
    functionsIn(event, kind).filter(({ name }) => name === requestName)
  const byCall = asked('functionCall').map(({ id, value }) => ({
    dialect: 'call' as const,
    id,
    paused: textIn(member(value, 'functionCallId')),
    config: fieldsOf(member(value, 'authConfig')),
    longRunning: running.includes(id),
    invocation,
  }))
  // An answer that is read back has the credential.
  const byResponse = asked('functionResponse')
    .filter(({ value }) => member(value, 'exchangedAuthCredential') === undefined)
    .filter(() => event['author'] !== 'user')
    .map(({ id, value }) => ({
      dialect: 'response' as const,
      id,
      paused: textIn(id),
      config: value,
      longRunning: running.includes(id),
      invocation,
    }))
  return [...byCall, ...byResponse]
}

/** The OAuth part of one of the credentials of an AuthConfig. */
function oauth2Of(config: Fields, credential = 'exchangedAuthCredential'): Fields {
  return fieldsOf(fieldsOf(member(config, credential))['oauth2'])
}

/** The authorization URL of a request, as the agent made it. */
export function authUriOf({ config }: CredentialRequest): string | undefined {
  return textIn(member(oauth2Of(config), 'authUri'))
}

/** The state that stands beside the URL, where one does. */
export function stateBeside({ config }: CredentialRequest): string | undefined {
  return textIn(member(oauth2Of(config), 'state'))
}

/** An authorization URL with a redirect URI where it has none; nothing else of it changes. */
export function withRedirectUri(authUri: string, redirectUri: string): string {
  if (!URL.canParse(authUri)) return authUri
  const { searchParams: query } = new URL(authUri)
  // A request that was pushed (RFC 9126 §4) or signed (RFC 9101 §5) has its own.
  if (['redirect_uri', 'request_uri', 'request'].some((name) => query.get(name))) return authUri
  const [rest = '', fragment] = authUri.split('#', 2)
  const bare = rest.replace(/([?&])redirect_uri=?(?=&|$)/, '$1').replace(/(?<![?&])[?&]+$/, '')
  const added = `${bare}${bare.includes('?') ? '&' : '?'}redirect_uri=${encodeURIComponent(redirectUri)}`
  return fragment === undefined ? added : `${added}#${fragment}`
}

/** An AuthConfig with these members in its exchanged OAuth credential, in the casing that it has; `undefined` takes one away. */
export function withAnswer({ config }: CredentialRequest, members: Fields): Fields {
  const isSnake =
    Object.hasOwn(config, 'auth_scheme') || Object.hasOwn(config, 'raw_auth_credential')
  const spelt = (name: string): string => (isSnake ? snake(name) : name)
  const exchanged = fieldsOf(member(config, 'exchangedAuthCredential'))
  const raw = fieldsOf(member(config, 'rawAuthCredential'))
  const type = member(exchanged, 'authType') ?? member(raw, 'authType')
  const own = Object.fromEntries(Object.entries(members).map(([name, each]) => [spelt(name), each]))
  return {
    ...config,
    [spelt('exchangedAuthCredential')]: {
      ...(type === undefined ? {} : { [spelt('authType')]: type }),
      ...exchanged,
      oauth2: { ...fieldsOf(exchanged['oauth2']), ...own },
    },
  }
}
