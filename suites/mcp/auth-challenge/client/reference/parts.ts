/** The steps of this client as plain functions; `createHost` takes others in their place. */

import { pageFor, type Callback } from './callback.ts'
import { bearerAmong, challengesIn } from './challenge.ts'
import { coversEndpoint, fetchMetadata, isSafe, supportsPkce } from './discovery.ts'
import { openUrl } from './open-url.ts'
import { checkIssuer, exchange, isOwnState, newState, resourceFor, scopeFor } from './sign-in.ts'
import { seal, unseal } from './token-store.ts'
import type { Authority, Challenge, ClientInformation, Tokens, UserInterface } from './work.ts'

export const defaultParts = {
  // a call
  mayCall: (_user: UserInterface, _tool: string): Promise<boolean> => Promise.resolve(true),
  negotiation: (): 'auto' | 'legacy' => 'auto',
  argumentsOf: (args: Readonly<Record<string, unknown>>) => args,
  send: (url: string | URL, init?: RequestInit): Promise<Response> => fetch(url, init),
  shown: (text: string, _challenges: readonly string[]): string => text,
  // what it is challenged with
  challengesIn,
  bearerAmong,
  // where that leads
  fetchMetadata,
  isSafe,
  coversEndpoint,
  mayOpen: isSafe,
  mayRedeemAt: isSafe,
  checksIssuer: (): boolean => true,
  supportsPkce,
  // the flow
  authorize: (signIn: () => Promise<void>): Promise<void> => signIn(),
  refresh: (
    _authority: Authority,
    _tokens: Tokens | undefined,
    _client: ClientInformation,
    _challenge: Challenge,
  ): Promise<Tokens | undefined> => Promise.resolve(undefined),
  clientFor: (
    configured: ClientInformation,
    _authority: Authority,
    _redirectUri: string,
  ): Promise<ClientInformation> => Promise.resolve(configured),
  openUrl,
  /** Any that is free. */
  redirectPort: (): number => 0,
  pageFor,
  stopListening: (callback: Callback): void => callback.close(),
  newState,
  isOwnState,
  scopeFor,
  resourceFor,
  authorizationUrl: (url: URL): URL => url,
  checkIssuer,
  verifierFor: (verifier: string): string => verifier,
  exchange,
  // what comes afterwards
  seal,
  unseal,
  onTokens: (_tokens: Tokens): void => undefined,
  tokenFor: (_endpoint: string, own: string | undefined): string | undefined => own,
  startsAnew: (): boolean => false,
  mostRounds: (): number => 2,
}

export type Parts = Readonly<typeof defaultParts>
