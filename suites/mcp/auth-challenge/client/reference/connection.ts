/** One server: its tools, the token for it, and the way to one when it asks. */

import {
  Client,
  isCallToolResult,
  StreamableHTTPClientTransport,
  type FetchLike,
} from '@modelcontextprotocol/client'
import { discover } from './discovery.ts'
import type { Parts } from './parts.ts'
import { signIn } from './sign-in.ts'
import type { TokenStore } from './token-store.ts'
import type { Challenge, ClientInformation, ServerSpec, UserInterface } from './work.ts'

type Arguments = Readonly<Record<string, unknown>>

/** How a call ended, or what has to be done before it can. */
interface Outcome {
  readonly text: string
  readonly challenge?: Challenge | undefined
}

/** HTTP 401, with what it challenges with. */
class Unauthorized extends Error {
  readonly challenge: Challenge | undefined
  constructor(challenge: Challenge | undefined) {
    super('the server wants its user to sign in')
    this.challenge = challenge
  }
}

export class Connection {
  readonly name: string
  readonly #url: string
  readonly #user: UserInterface
  readonly #parts: Parts
  readonly #registration: ClientInformation
  #client: Promise<Client> | undefined
  readonly #store: TokenStore
  #signingIn: Promise<void> | undefined

  constructor(
    spec: ServerSpec,
    user: UserInterface,
    registration: ClientInformation,
    store: TokenStore,
    parts: Parts,
  ) {
    this.name = spec.name
    this.#url = spec.url
    this.#user = user
    this.#registration = registration
    this.#store = store
    this.#parts = parts
  }

  /** Whether the server has a tool of that name. */
  async offers(tool: string): Promise<boolean> {
    const { tools } = await this.#authorized(async (client) => client.listTools())
    return tools.some(({ name }) => name === tool)
  }

  /** Calls a tool; resolves with what its user is to read. */
  async call(tool: string, args: Arguments): Promise<string> {
    for (let round = 1; ; round += 1) {
      const { text, challenge } = await this.#try(tool, args)
      if (!challenge) return text
      if (round > this.#parts.mostRounds()) return `${text} (the new token was refused, too)`
      try {
        await this.#parts.authorize(() => this.#signIn(challenge))
      } catch (error) {
        return `${text} (${reasonOf(error)})`
      }
      if (this.#parts.startsAnew()) await this.close()
    }
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined)
    this.#client = undefined
    await client?.close()
  }

  async #try(tool: string, args: Arguments): Promise<Outcome> {
    const result = await this.#authorized((client) =>
      client.callTool({ name: tool, arguments: { ...this.#parts.argumentsOf(args) } }),
    )
    if (!isCallToolResult(result)) return { text: 'no result' }
    const challenges = this.#parts.challengesIn({ ...result })
    return {
      text: this.#parts.shown(
        result.content.map((each) => (each.type === 'text' ? each.text : each.type)).join('\n'),
        challenges,
      ),
      challenge: this.#parts.bearerAmong(challenges),
    }
  }

  /** Signs in where HTTP asks for it. */
  async #authorized<T>(act: (client: Client) => Promise<T>, first = true): Promise<T> {
    try {
      return await act(await (this.#client ??= this.#connect()))
    } catch (error) {
      const challenge = unauthorizedIn(error)?.challenge
      if (!first || !challenge) throw error
      this.#client = undefined
      await this.#signIn(challenge)
      return this.#authorized(act, false)
    }
  }

  /** Calls that are challenged at the same time wait for one flow. */
  #signIn(challenge: Challenge): Promise<void> {
    this.#signingIn ??= this.#obtain(challenge).finally(() => (this.#signingIn = undefined))
    return this.#signingIn
  }

  async #obtain(challenge: Challenge): Promise<void> {
    const parts = this.#parts
    const authority = await discover(this.#url, challenge, parts)
    const before = this.#store.get(this.#url)
    const refreshed = await parts.refresh(authority, before, this.#registration, challenge)
    const { issuer } = authority
    if (refreshed) return this.#store.set(this.#url, { ...refreshed, issuer })
    this.#user.tell(`Sign in at ${new URL(authority.issuer).host} for ${this.name}, please.`)
    const tokens = await signIn(authority, challenge, this.#registration, parts)
    this.#store.set(this.#url, { ...tokens, issuer })
    parts.onTokens(tokens)
  }

  async #connect(): Promise<Client> {
    const client = new Client(
      { name: 'example-client', version: '1.0.0' },
      { versionNegotiation: { mode: this.#parts.negotiation() } },
    )
    const transport = new StreamableHTTPClientTransport(new URL(this.#url), { fetch: this.#fetch })
    await client.connect(transport)
    return client
  }

  /** The endpoint gets the token, and nothing else does. */
  readonly #fetch: FetchLike = async (url, init) => {
    const headers = new Headers(init?.headers)
    const token = this.#parts.tokenFor(this.#url, this.#store.get(this.#url)?.access_token)
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    const response = await this.#parts.send(url, { ...init, headers })
    if (response.status !== 401) return response
    await response.body?.cancel()
    const value = response.headers.get('www-authenticate')
    throw new Unauthorized(value === null ? undefined : this.#parts.bearerAmong([value]))
  }
}

function unauthorizedIn(error: unknown): Unauthorized | undefined {
  if (error instanceof Unauthorized) return error
  return error instanceof Error && error.cause !== undefined
    ? unauthorizedIn(error.cause)
    : undefined
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'no reason given'
}
