/** The values that the steps of this client hand to each other. */

import type {
  AuthorizationServerMetadata,
  OAuthClientInformationMixed,
  OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client'

/** A server that the user has configured. */
export interface ServerSpec {
  /** As the user calls it. */
  readonly name: string
  /** Its endpoint, over Streamable HTTP. */
  readonly url: string
}

/** What a Bearer challenge says (RFC 6750 §3, RFC 9728 §5.1), names in lower case. */
export type Challenge = ReadonlyMap<string, string>

/** Where a token comes from, and for what. */
export interface Authority {
  readonly issuer: string
  readonly server: AuthorizationServerMetadata
  readonly resource: OAuthProtectedResourceMetadata
}

export type ClientInformation = OAuthClientInformationMixed

export interface Tokens {
  readonly access_token: string
  readonly refresh_token?: string | undefined
  /** Where they came from: what is issued by one authorization server is for no other (RFC 6749 §10.4). */
  readonly issuer?: string | undefined
}

/** The way to the user. */
export interface UserInterface {
  /** Shows what came of something. */
  tell(text: string): void
}
