/** The tokens that are tried: from an authorization code flow, and wrong in one way each. */

import { createHash, randomBytes, type KeyObject } from 'node:crypto'
import { Unreached, type Recorder, type Run } from '../../../../harness/engine/index.ts'
import { HttpFailure, UserAgent, type Deployment } from '../../../../harness/parties/index.ts'
import {
  altered,
  cutShort,
  flawedToken,
  otherClaims,
  similarTo,
  type TokenForm,
} from '../../server/flawed-tokens.ts'
import type { UnknownProviders } from '../../server/unknown-providers.ts'
import { membersOf } from '../../wire/values.ts'
import type { Chain } from './discovery.ts'
import { misplacedToken } from './view.ts'

export interface TokensParts {
  readonly recorder: Recorder
  readonly run: Run
  readonly deployment: Deployment
  /** Lets every client request these scopes for a resource. */
  readonly knowResource: (resource: string, scopes: readonly string[]) => void
  /** A provider that the server does not know, with keys of its own, or with those that the server knows. */
  readonly unknownProvider: UnknownProviders['open']
  /** What the provider signs with. */
  readonly signingKeys: readonly KeyObject[]
}

/** The MCP client, which is not the client that the server itself may be. */
export const mcpClientId = 'mcp-client-1'
/** Nobody listens there: the browser is not sent back. */
export const redirectUri = 'http://127.0.0.1/callback'

export class Tokens {
  readonly #parts: TokensParts
  readonly #browser: UserAgent
  readonly #subject: string

  constructor(parts: TokensParts) {
    const { recorder, deployment, run } = parts
    this.#parts = parts
    this.#subject = `subject-of-${recorder.name}`
    this.#browser = new UserAgent({
      recorder,
      transport: deployment.transport,
      issuer: deployment.issuer,
      origins: deployment.origins,
      within: () => run.timing.maxWaitMs,
      signal: run.signal,
    })
  }

  /** A token as a client gets it: code, PKCE, and the resource at both endpoints. @throws Unreached */
  async authorize(chain: Chain, scopes = chain.scopes, subject = this.#subject): Promise<string> {
    const { resource, authorizationEndpoint, tokenEndpoint, call } = chain
    const { run, knowResource } = this.#parts
    knowResource(resource, [...chain.known, ...scopes])
    const verifier = run.ledger.add('code_verifier', randomBytes(32).toString('base64url')).value
    const state = randomBytes(16).toString('base64url')
    const url = new URL(authorizationEndpoint)
    const parameters = {
      response_type: 'code',
      client_id: mcpClientId,
      redirect_uri: redirectUri,
      state,
      resource,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...(scopes.length > 0 ? { scope: [...new Set(scopes)].join(' ') } : {}),
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    const visit = await this.#browser.visit(url.href, call)
    if (visit.ended !== 'interaction') {
      const why = visit.ended === 'page' ? `a page with status ${visit.status}` : visit.reason
      throw new Unreached(`the authorization request was refused: ${why}`)
    }
    const decision = { action: 'approve', subject } as const
    const redirect = new URL(await this.#browser.decide(visit.authorization, decision, call))
    const code = redirect.searchParams.get('code')
    if (code === null || redirect.searchParams.get('state') !== state)
      throw new Unreached('the provider issued no code')
    return this.#redeem(tokenEndpoint, {
      grant_type: 'authorization_code',
      code,
      client_id: mcpClientId,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      resource,
    })
  }

  /** A token that differs from one of {@link authorize} in one way. */
  async flawed(
    form: TokenForm,
    { resource, call }: Chain,
    scopes: readonly string[],
  ): Promise<string> {
    const { deployment: known, signingKeys, unknownProvider } = this.#parts
    const right = this.#right(resource, scopes)
    const parts = { known, signingKeys, unknownProvider, resource, right }
    return this.#noted(form, await flawedToken(form, parts), call)
  }

  /** Tokens that are each for one similar resource, which stands as a string in `aud` (RFC 7519 §4.1.3). */
  async forSimilar({ resource, scopes, call }: Chain): Promise<readonly string[]> {
    const tokens: string[] = []
    for (const aud of similarTo(resource)) {
      const request = { ...this.#right(resource, scopes), audience: [aud], claims: { aud } }
      const { access_token: issued } = await this.#parts.deployment.issueToken(request)
      tokens.push(this.#noted('similar-audience', issued, call))
    }
    return tokens
  }

  /** Right ones, of which the server has seen neither: a JWT, and an opaque one. */
  async unseen({ resource, scopes }: Chain): Promise<readonly string[]> {
    const { deployment } = this.#parts
    const right = { ...this.#right(resource, scopes), audience: [resource] }
    const issued = (['jwt', 'opaque'] as const).map((format) =>
      deployment.issueToken({ ...right, format }),
    )
    return (await Promise.all(issued)).map(({ access_token: token }) => token)
  }

  /** A right one, which is opaque and lives for so many seconds. */
  async opaque({ resource, call }: Chain, scopes: readonly string[], lifetime: number) {
    const { deployment, recorder } = this.#parts
    const request = { ...this.#right(resource, scopes), audience: [resource], lifetime }
    const { access_token: token } = await deployment.issueToken({ ...request, format: 'opaque' })
    recorder.record({ type: 'step', action: 'opaque-token', call, detail: { lifetime } })
    return token
  }

  /** A right one, which is going to be sent where it does not belong. */
  async misplaced({ resource, scopes, call }: Chain): Promise<string> {
    const { deployment, recorder, run } = this.#parts
    const request = { ...this.#right(resource, scopes), audience: [resource] }
    const { access_token: token } = await deployment.issueToken(request)
    const detail = { token: run.ledger.find(token)?.id }
    recorder.record({ type: 'step', action: misplacedToken, call, detail })
    return token
  }

  #right(resource: string, scopes: readonly string[]) {
    this.#parts.knowResource(resource, scopes)
    return {
      subject: this.#subject,
      clientId: mcpClientId,
      ...(scopes.length > 0 ? { scopes } : {}),
    }
  }

  /** The same token, of which something is another. */
  alter(token: string, { call }: Chain): readonly string[] {
    return [
      this.#noted('altered', altered(token), call),
      this.#noted('cut-short', cutShort(token), call),
      this.#noted('other-claims', otherClaims(token), call),
    ]
  }

  #noted(form: TokenForm, value: string, call: string): string {
    const { run, recorder } = this.#parts
    const { id } = run.ledger.add('access_token', value)
    recorder.record({ type: 'step', action: 'token', call, detail: { flaw: form, token: id } })
    return value
  }

  async #redeem(url: string, form: Readonly<Record<string, string>>): Promise<string> {
    const { deployment, run } = this.#parts
    try {
      const { status, body } = await deployment.transport({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
        within: run.timing.maxWaitMs,
        signal: run.signal,
      })
      const token = membersOf(JSON.parse(body.text))['access_token']
      if (typeof token === 'string') return token
      throw new Unreached(`the token request was refused with status ${status}`)
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error
      throw new Unreached(`the token endpoint did not answer: ${error.message}`)
    }
  }
}
