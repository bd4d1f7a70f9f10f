/** The tokens that are tried: from an authorization code flow, and wrong in one way each. */

import { createHash, randomBytes } from 'node:crypto'
import { Unreached, type Recorder, type Run } from '../../../../harness/engine/index.ts'
import {
  HttpFailure,
  UserAgent,
  type Deployment,
  type UnknownProvider,
} from '../../../../harness/parties/index.ts'
import { membersOf } from '../../wire/values.ts'
import type { Chain } from './discovery.ts'

/** In which way a token is wrong, and otherwise right. */
export type Flaw =
  | 'expired'
  | 'other-audience'
  | 'similar-audience'
  | 'no-audience'
  | 'other-issuer'
  | 'other-tenant'
  | 'altered'
  | 'unsigned'

export interface TokensParts {
  readonly recorder: Recorder
  readonly run: Run
  readonly deployment: Deployment
  /** Lets every client request these scopes for a resource. */
  readonly knowResource: (resource: string, scopes: readonly string[]) => void
  /** A provider that the server does not know, with keys of its own, or with those that the server knows. */
  readonly unknownProvider: (keys: 'own' | 'known') => Promise<UnknownProvider>
}

type Issuing = Pick<UnknownProvider, 'issueToken'>
type DirectTokenRequest = NonNullable<Parameters<Issuing['issueToken']>[0]>

/** The MCP client, which is not the client that the server itself may be. */
export const mcpClientId = 'mcp-client-1'
/** Nobody listens there: the browser is not sent back. */
export const redirectUri = 'http://127.0.0.1/callback'

/** Seconds since an expired token expired: more than the few minutes that clocks may differ by (RFC 7519 §4.1.4). */
const expiredFor = 900
/** An API that the server is not. */
const otherAudience = 'https://another-api.example/mcp'

/** What a comparison by prefix, origin or host name takes for a resource. */
export function similarTo(resource: string): readonly string[] {
  const { host, pathname } = new URL(resource)
  const otherPort = new URL(resource)
  otherPort.port = '1'
  return [
    resource.replace(host, `${host}@another-api.example`),
    otherPort.href,
    ...(pathname === '/' ? [] : [`${resource.replace(/\/$/, '')}-of-another`]),
  ]
}

export class Tokens {
  readonly #parts: TokensParts
  readonly #browser: UserAgent
  readonly #subject: string

  constructor(parts: TokensParts) {
    const { recorder, deployment, run } = parts
    this.#parts = parts
    this.#subject = `subject-of-${recorder.scenario}`
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
  async authorize(chain: Chain, scopes = chain.scopes): Promise<string> {
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
    const decision = { action: 'approve', subject: this.#subject } as const
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
  async flawed(flaw: Flaw, { resource, scopes, call }: Chain): Promise<string> {
    const { run, recorder } = this.#parts
    const right = {
      subject: this.#subject,
      clientId: mcpClientId,
      audience: [resource],
      ...(scopes.length > 0 ? { scopes } : {}),
    }
    const provider = await this.#issuerOf(flaw)
    const { access_token: issued } = await provider.issueToken({
      ...right,
      ...this.#changes(resource)[flaw],
    })
    const value = spoilt[flaw]?.(issued) ?? issued
    const { id } = run.ledger.add('access_token', value)
    recorder.record({ type: 'step', action: 'token', call, detail: { flaw, token: id } })
    return value
  }

  /** Who issues it. */
  #issuerOf(flaw: Flaw): Issuing | Promise<Issuing> {
    const { deployment, unknownProvider } = this.#parts
    if (flaw === 'other-issuer') return unknownProvider('own')
    // Who asks the provider, which knows nothing of it, learns that it is not active.
    return flaw === 'other-tenant' ? unknownProvider('known') : deployment
  }

  /** What is requested in place of what is right. */
  #changes(resource: string): Partial<Record<Flaw, DirectTokenRequest>> {
    const { issuer } = this.#parts.deployment
    return {
      expired: { lifetime: -expiredFor },
      'other-audience': { audience: [otherAudience] },
      'similar-audience': { audience: similarTo(resource) },
      'no-audience': { audience: [], claims: { aud: undefined } },
      'other-tenant': { format: 'jwt', claims: { iss: `${issuer}/another-tenant` } },
      unsigned: { format: 'jwt' },
    }
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

/** What is done to a token after it was issued. */
const spoilt: Partial<Record<Flaw, (token: string) => string>> = { altered, unsigned }

/** The same claims without a signature, which they say they need not have (RFC 8725 §2.1). */
function unsigned(token: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url')
  return `${header}.${token.split('.')[1]}.`
}

/** The same token with another signature; an opaque one is another value. */
function altered(token: string): string {
  const start = token.lastIndexOf('.') + 1 || 3
  const [kept, rest] = [token.slice(0, start), token.slice(start)]
  return kept + randomBytes(rest.length).toString('base64url').slice(0, rest.length)
}
