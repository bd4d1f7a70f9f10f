/** Writes the provider's log into the transcripts: tells for each entry which scenario and call it belongs to. */

import type { MockProvider, ProviderEvent } from '../../../mock-provider/index.ts'
import type { Recorder } from '../../engine/recording/recorder.ts'
import type { SecretLedger } from '../../engine/recording/secrets/ledger.ts'
import { visitHeader } from '../user/user-agent.ts'

type ProviderRequest = Extract<ProviderEvent, { readonly type: 'request' }>

/** The scenario and the invocation that something at the provider happened for. */
export interface Scope {
  readonly recorder: Recorder
  readonly call: string
}

/** Knows whom what the provider sees belongs to. */
export interface ProviderRecorder {
  /** Registers who visits, so that what follows from the visit is attributed. */
  enter(recorder: Recorder): void
  /** Attributes requests that present this value (a code or a token that the provider never issued). */
  bait(value: string, scope: Scope): void
}

export interface ProviderRecorderOptions {
  readonly ledger: SecretLedger
  /** Takes what no scenario can be told for: discovery, registration, unknown tokens. */
  readonly log: Recorder
  /** That of its deployment: ids of the `shared` one stay as they are, those of others carry their name. */
  readonly name: string
  /** Further hosts of the provider, beside that of its issuer. */
  readonly hosts?: readonly string[] | undefined
}

/** Where the mock provider itself has what real ones have elsewhere; what tells about the user is their API. */
const ownPaths: Partial<Record<ProviderEvent['endpoint'], string>> = {
  authorize: '/authorize',
  token: '/token',
  userinfo: '/userinfo',
  resource: '/resource',
}

/** Starts recording everything that the provider sees. */
export function recordProvider(
  provider: MockProvider,
  { ledger, log, name, hosts = [] }: ProviderRecorderOptions,
): ProviderRecorder {
  const prefix = name === 'shared' ? '' : `${name}:`
  const recorders = new Map<string, Recorder>()
  const byExchange = new Map<number, Scope>()
  const byAuthorization = new Map<string, Scope>()
  const baits = new Map<string, Scope>()
  const origin = new URL(provider.issuer).origin

  for (const secret of provider.secrets) ledger.add(secret.kind, secret.value, prefix + secret.id)
  provider.onSecret((secret) => ledger.add(secret.kind, secret.value, prefix + secret.id))
  provider.onEvent((event) => {
    if (event.type === 'request') noteOwnSecrets(event.body, ledger)
    const scope = scopeOf(event)
    if (scope) {
      byExchange.set(event.exchange, scope)
      if (event.authorization) byAuthorization.set(event.authorization, scope)
    }
    write(event, scope)
    if (event.type === 'response' || event.type === 'connection') byExchange.delete(event.exchange)
  })

  const scopeOf = (event: ProviderEvent): Scope | undefined =>
    (event.type === 'request' ? visitor(event.headers) : undefined) ??
    byExchange.get(event.exchange) ??
    (event.authorization ? byAuthorization.get(event.authorization) : undefined) ??
    (event.type === 'request' ? baited(event) : undefined)

  const visitor = (headers: Readonly<Record<string, string>>): Scope | undefined => {
    const [name = '', call = ''] = headers[visitHeader]?.split('/') ?? []
    const recorder = recorders.get(name)
    return recorder && { recorder, call }
  }

  const baited = ({ body, headers }: ProviderRequest): Scope | undefined => {
    const bearer = /^Bearer\b *(\S*)/i.exec(headers['authorization'] ?? '')?.[1]
    const values = [...parametersOf(body).values()].filter((value) => value !== '')
    if (bearer !== undefined) values.push(bearer)
    return values.map((value) => baits.get(value)).find((scope) => scope !== undefined)
  }

  const write = (event: ProviderEvent, scope: Scope | undefined): void => {
    const live = scope && !scope.recorder.ended ? scope : undefined
    const recorder = live?.recorder ?? log
    const exchange = `${prefix}p${event.exchange}`
    const place = { channel: 'provider', exchange, ...(live ? { call: live.call } : {}) } as const
    switch (event.type) {
      case 'request': {
        const { method, target, headers, body, endpoint } = event
        const host = headers['host'] ?? ''
        const servedAt = ownPathOf(endpoint, target)
        recorder.record({
          type: 'request',
          ...place,
          method,
          url: (hosts.includes(host) ? `https://${host}` : origin) + target,
          ...(servedAt === undefined ? {} : { servedAt }),
          headers: withoutVisit(headers),
          ...(body ? { body: { text: body, bytes: Buffer.byteLength(body) } } : {}),
        })
        break
      }
      case 'response': {
        const { status, headers, body } = event
        recorder.record({
          type: 'response',
          ...place,
          status,
          headers,
          body: { text: body, bytes: Buffer.byteLength(body) },
        })
        break
      }
      case 'connection': {
        const message = `connection closed by the ${event.closedBy}`
        recorder.record({ type: 'failure', ...place, code: 'closed', message })
        break
      }
      default: {
        const { type, seq: _seq, at: _at, exchange: _exchange, authorization, ...detail } = event
        recorder.record({
          type: 'provider',
          event: type,
          exchange,
          ...(live ? { call: live.call } : {}),
          ...(authorization ? { authorization } : {}),
          detail: prefix ? prefixed(detail, prefix) : { ...detail },
        })
      }
    }
  }

  return {
    enter: (recorder) => void recorders.set(recorder.name, recorder),
    bait: (value, scope) => void baits.set(value, scope),
  }
}

/** Secrets that an implementation makes itself; the provider meets them in token requests only. */
const ownSecrets = ['code_verifier', 'client_assertion']

function noteOwnSecrets(body: string, ledger: SecretLedger): void {
  if (!ownSecrets.some((name) => body.includes(name))) return
  const parameters = parametersOf(body)
  for (const name of ownSecrets) {
    const value = parameters.get(name)
    if (value) ledger.add(name, value)
  }
}

/** The members of a form, or of a JSON object, as real providers take them. */
function parametersOf(body: string): URLSearchParams {
  if (!body.startsWith('{')) return new URLSearchParams(body)
  try {
    const members = Object.entries(JSON.parse(body) as Record<string, unknown>)
    return new URLSearchParams(
      members.filter((each): each is [string, string] => typeof each[1] === 'string'),
    )
  } catch {
    return new URLSearchParams(body)
  }
}

/** The mock provider's own path for what was asked for at another; of the API, the whole route. */
function ownPathOf(endpoint: ProviderEvent['endpoint'], target: string): string | undefined {
  const own = ownPaths[endpoint]
  const [path = ''] = target.split(/[?#]/)
  if (own === undefined || path === own || path.startsWith(`${own}/`)) return undefined
  return endpoint === 'resource' || endpoint === 'userinfo' ? `/resource${path}` : own
}

function withoutVisit(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== visitHeader))
}

/** Secret ids in log entries carry the prefix under which the ledger knows them. */
function prefixed(detail: object, prefix: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(detail).map(([key, value]: [string, unknown]) => {
      if ((key === 'presented' || key === 'token') && typeof value === 'string') {
        return [key, prefix + value]
      }
      if (key === 'issued' && Array.isArray(value))
        return [key, value.map((id) => prefix + String(id))]
      return [key, value]
    }),
  )
}
