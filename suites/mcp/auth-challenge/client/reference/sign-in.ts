/** An authorization code flow with PKCE, state and resource; the browser does the rest. */

import { randomBytes } from 'node:crypto'
import {
  exchangeAuthorization,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client'
import { listen, type Callback, type pageFor } from './callback.ts'
import type { Authority, Challenge, ClientInformation, Tokens } from './work.ts'

/** The steps of a flow. */
export interface SignInSteps {
  readonly openUrl: (url: string) => Promise<boolean>
  readonly newState: () => string
  readonly redirectPort: () => number
  readonly pageFor: typeof pageFor
  readonly clientFor: (
    configured: ClientInformation,
    authority: Authority,
    redirectUri: string,
  ) => Promise<ClientInformation>
  readonly stopListening: (callback: Callback) => void
  readonly isOwnState: (returned: URLSearchParams, state: string) => boolean
  readonly scopeFor: (challenge: Challenge, authority: Authority) => string | undefined
  readonly resourceFor: (authority: Authority) => string | undefined
  readonly authorizationUrl: (url: URL) => URL
  readonly checkIssuer: (returned: URLSearchParams, authority: Authority) => void
  readonly verifierFor: (verifier: string) => string
  readonly exchange: typeof exchangeAuthorization
}

export function newState(): string {
  return randomBytes(24).toString('base64url')
}

export function isOwnState(returned: URLSearchParams, state: string): boolean {
  return returned.get('state') === state && (returned.has('code') || returned.has('error'))
}

/** The scope of the challenge is what the server asks for; the metadata is what it has (Scope Selection Strategy). */
export function scopeFor(challenge: Challenge, { resource }: Authority): string | undefined {
  return challenge.get('scope') ?? resource.scopes_supported?.join(' ')
}

export function resourceFor({ resource }: Authority): string | undefined {
  return resource.resource
}

/**
 * The exchange of the SDK takes any text for a token, and a token of any type for one that it can use (RFC 6749 §5.1, §7.1);
 * and what it throws quotes the response, which may hold a token.
 */
export const exchange: typeof exchangeAuthorization = async (issuer, options) => {
  const tokens = await exchangeAuthorization(issuer, options).catch(() => undefined)
  if (!tokens?.access_token) throw new Error('the sign-in brought no token')
  if (tokens.token_type.toLowerCase() !== 'bearer')
    throw new Error('the sign-in brought a token of an unknown type')
  return tokens
}

/** Before anything else of the response is believed, its errors included (RFC 9207 §2.4). */
export function checkIssuer(returned: URLSearchParams, { server }: Authority): void {
  validateAuthorizationResponseIssuer({
    iss: returned.get('iss') ?? undefined,
    expectedIssuer: server.issuer,
    issParameterSupported: server.authorization_response_iss_parameter_supported === true,
  })
}

/** Resolves with tokens. @throws Error where the user denies, or what comes back is not right */
export async function signIn(
  authority: Authority,
  challenge: Challenge,
  client: ClientInformation,
  steps: SignInSteps,
): Promise<Tokens> {
  const state = steps.newState()
  const isOwn = (returned: URLSearchParams) => steps.isOwnState(returned, state)
  const callback = await listen(isOwn, steps.pageFor, steps.redirectPort())
  try {
    const own = await steps.clientFor(client, authority, callback.redirectUri)
    return await throughBrowser(authority, challenge, own, { steps, state, callback })
  } finally {
    steps.stopListening(callback)
  }
}

interface Flow {
  readonly steps: SignInSteps
  readonly state: string
  readonly callback: Callback
}

async function throughBrowser(
  authority: Authority,
  challenge: Challenge,
  client: ClientInformation,
  { steps, state, callback }: Flow,
): Promise<Tokens> {
  const { issuer, server: metadata } = authority
  const { redirectUri } = callback
  const scope = steps.scopeFor(challenge, authority)
  const resource = steps.resourceFor(authority)
  const started = await startAuthorization(issuer, {
    metadata,
    clientInformation: client,
    redirectUrl: redirectUri,
    state,
    ...(scope === undefined ? {} : { scope }),
    ...(resource === undefined ? {} : { resource: new URL(resource) }),
  })
  if (!(await steps.openUrl(steps.authorizationUrl(started.authorizationUrl).href)))
    throw new Error('no browser could be started')
  const returned = await callback.returned
  steps.checkIssuer(returned, authority)
  const error = returned.get('error')
  if (error !== null) throw new Error(`the sign-in was refused: ${error.slice(0, 100)}`)
  return steps.exchange(issuer, {
    metadata,
    clientInformation: client,
    authorizationCode: returned.get('code') ?? '',
    ...(returned.has('iss') ? { iss: returned.get('iss') ?? '' } : {}),
    codeVerifier: steps.verifierFor(started.codeVerifier),
    redirectUri,
    ...(resource === undefined ? {} : { resource: new URL(resource) }),
  })
}
