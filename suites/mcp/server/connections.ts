/** The connections of a scenario: one for each user, and for everything that is declared otherwise. */

import type { KeyObject } from 'node:crypto'
import {
  Unreachable,
  Unreached,
  type Patience,
  type Recorder,
  type Run,
} from '../../../harness/engine/index.ts'
import type { ProviderConfiguration } from '../../../harness/parties/provider-settings.ts'
import type { Deployment } from '../../../harness/parties/index.ts'
import type { User } from '../../oauth-client/user.ts'
import type { ClientParts, McpClient } from '../wire/client.ts'
import { flawedToken, type TokenForm } from './flawed-tokens.ts'
import { wireLimits } from '../wire/limits.ts'
import type { Link, LinkParts, Session } from '../wire/link.ts'
import type { Capabilities, Revision } from '../wire/revisions.ts'
import { StdioLink, type StdioPeer } from '../wire/stdio-link.ts'
import { httpLink, openClient } from './open-client.ts'
import type { UnknownProviders } from './unknown-providers.ts'

export interface ConnectOptions {
  readonly capabilities?: Capabilities
  readonly revision?: Revision
  /** Without the token that the endpoint may demand. */
  readonly anonymous?: true
  /** With a token that is wrong in this way. */
  readonly flaw?: TokenForm
  /** With a token that lives for so many seconds. */
  readonly lifetime?: number
  /** With what the handshake of another connection agreed on, without one of its own. */
  readonly session?: Session
  /** There it asks for the stream of what the server says beside its answers. */
  readonly listens?: true
  /** Which client of the user it is, where there is more than one. */
  readonly client?: string
}

export interface ConnectionsParts {
  readonly recorder: Recorder
  readonly run: Run
  readonly patience: Patience
  readonly deployment: Deployment
  readonly configuration: ConnectedConfiguration
  /** What is declared where a connection says nothing else. */
  readonly capabilities: Capabilities
  /** The MCP endpoint, which is what access tokens are for. */
  readonly endpoint: string
  readonly onRequest: NonNullable<ClientParts['onRequest']>
  /** What wrong tokens are made with, where some are tried. */
  readonly forging?: Forging
}

export interface Forging {
  /** What the provider signs with. */
  readonly signingKeys: readonly KeyObject[]
  /** Who issues what the server has no reason to believe. */
  readonly unknownProvider: UnknownProviders['open']
}

/** What the vendor configures of it. */
export interface ConnectedConfiguration {
  readonly target: {
    readonly transport: 'http' | 'stdio'
    readonly revision: Revision
    /** Whether the endpoint demands a token of each user. */
    readonly authorization: boolean
    /** The scopes that it has to have. */
    readonly scopes: readonly string[]
    /** Milliseconds that it may take to answer at all. */
    readonly readyTimeout: number
  }
  readonly provider: Pick<ProviderConfiguration, 'tokenFormat'>
}

/** Whom a connection acts for. */
export type Principal = Pick<User, 'id' | 'subject'>

/** A connection that may still be on its way. */
export interface Connection {
  readonly name: string
  readonly revision: Revision
  /** Milliseconds that its first answer may take, whatever others took: a process may have to start for it. */
  readonly startsWithin: number
  /** The client, once it can be used. Rejects with Unreached. */
  readonly opened: Promise<McpClient>
}

export class Connections {
  readonly #parts: ConnectionsParts
  readonly #known = new Map<string, Connection>()
  readonly #processes = new Map<string, Process>()
  #made = 0

  constructor(parts: ConnectionsParts) {
    this.#parts = parts
  }

  /** The connection of a user with these options: the one that there is, or a new one. */
  of(user: Principal, options: ConnectOptions = {}): Connection {
    const key = JSON.stringify([user.id, options])
    const known = this.#known.get(key)
    if (known) return known
    const { revision = this.#parts.configuration.target.revision } = options
    const name = `connection-${++this.#made}`
    const opened = this.#open({ name, key }, user, { ...options, revision })
    // Whoever uses the connection is told.
    opened.catch(() => undefined)
    const connection = { name, revision, startsWithin: this.#startsWithin, opened }
    this.#known.set(key, connection)
    return connection
  }

  /** Tries to open that connection: whether the server let it. */
  opens(user: Principal, options?: ConnectOptions): Promise<boolean> {
    return this.of(user, options).opened.then(
      () => true,
      (error: unknown) => {
        if (error instanceof Unreached) return false
        throw error
      },
    )
  }

  /** What there is cannot be used any more: those who come next get new ones, over stdio to the process that they had. */
  forget(): void {
    this.#known.clear()
  }

  get #startsWithin(): number {
    const { transport, readyTimeout } = this.#parts.configuration.target
    return transport === 'stdio' ? readyTimeout : 0
  }

  async close(): Promise<void> {
    const clients = await Promise.allSettled([...this.#known.values()].map((each) => each.opened))
    await Promise.all(
      clients.flatMap((each) => (each.status === 'fulfilled' ? [each.value.close()] : [])),
    )
  }

  async #open(
    { name, key }: { readonly name: string; readonly key: string },
    user: Principal,
    options: ConnectOptions & { readonly revision: Revision },
  ): Promise<McpClient> {
    const { recorder, run, patience, onRequest } = this.#parts
    const { capabilities = this.#parts.capabilities, revision, anonymous } = options
    const { flaw, lifetime } = options
    const token = anonymous ? undefined : await this.#tokenOf(user, { flaw, lifetime })
    const detail = { connection: name, user: user.id, revision, capabilities, flaw, lifetime }
    const bearer = token === undefined ? undefined : run.ledger.find(token)?.id
    recorder.record({ type: 'step', action: 'connect', detail: { ...detail, bearer } })
    const link = await this.#linkOf({ name, key }, token)
    const parts = { recorder, name, revision, capabilities, patience, link, onRequest }
    const { session, listens } = options
    return openClient(parts, { session, listens, atLeast: this.#startsWithin })
  }

  /** The token of a user for the MCP endpoint, as a client gets it by MCP authorization. */
  async #tokenOf(
    { subject }: Principal,
    { flaw, lifetime }: { readonly [K in 'flaw' | 'lifetime']: ConnectOptions[K] | undefined },
  ): Promise<string | undefined> {
    const { configuration, deployment, endpoint, run, forging } = this.#parts
    if (!configuration.target.authorization) return undefined
    const right = {
      subject,
      clientId: mcpClientId,
      scopes: configuration.target.scopes,
      format: configuration.provider.tokenFormat,
      lifetime,
    }
    if (flaw !== undefined) {
      if (forging === undefined) throw new TypeError('no wrong tokens are made here')
      const parts = { ...forging, known: deployment, resource: endpoint, right }
      // Ids of access tokens are the provider's to give.
      const value = await flawedToken(flaw, parts)
      return (run.ledger.find(value) ?? run.ledger.add('flawed_token', value)).value
    }
    const { access_token: token } = await deployment.issueToken({ ...right, audience: [endpoint] })
    return token
  }

  async #linkOf(
    { name, key }: { readonly name: string; readonly key: string },
    token: string | undefined,
  ): Promise<(parts: LinkParts) => Link> {
    const { configuration, deployment, endpoint, run } = this.#parts
    if (configuration.target.transport === 'stdio') {
      const own = this.#processes.get(key) ?? (await this.#startProcess(name))
      this.#processes.set(key, own)
      return (parts) => {
        const link = (own.link = new StdioLink(parts, own.peer))
        // Only when the client is there to hear it.
        queueMicrotask(() => own.early.splice(0).forEach(link.onLine))
        return link
      }
    }
    const headers = {
      ...deployment.implementation.headers,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    }
    return httpLink({ run, deployment, endpoint, headers })
  }

  async #startProcess(name: string): Promise<Process> {
    const { deployment, recorder } = this.#parts
    const own: Omit<Process, 'peer'> = { early: [] }
    const started = deployment.start(`${deployment.name}-${recorder.name}-${name}`, {
      limits: { line: wireLimits.message, lines: wireLimits.lines },
      onLine(line) {
        if (own.link) own.link.onLine(line)
        else if (own.early.length < mostEarlyLines) own.early.push(line)
      },
    })
    const peer = await started.catch((error: unknown) => {
      throw error instanceof Unreachable ? new Unreached(error.message) : error
    })
    const origins = [...deployment.origins.keys()]
    recorder.record({ type: 'step', action: 'started', detail: { connection: name, origins } })
    return Object.assign(own, { peer })
  }
}

/** A process that a connection has to itself, and how it is spoken with. */
interface Process {
  readonly peer: StdioPeer
  link?: StdioLink
  /** What it wrote before anybody spoke with it: it is no message, or answers none. */
  readonly early: string[]
}

const mostEarlyLines = 100

/** Who the tokens for the MCP endpoint are issued to: the MCP client, which is not the server's own client. */
const mcpClientId = 'mcp-client-1'
