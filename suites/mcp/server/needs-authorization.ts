/** What is only asked of endpoints that know their callers by tokens. */

/** Whether the endpoint demands a token of each user. */
export interface Demanding {
  readonly authorization: boolean
}

/** Why nobody can be known by a token. */
export function needsAuthorization({ authorization }: Demanding): string | undefined {
  return authorization
    ? undefined
    : 'the endpoint demands no token (target.authorization), so it knows nobody by one'
}

/** What its access tokens are: opaque ones are asked about, others say themselves until when they are valid. */
export interface TokenFormat {
  readonly tokenFormat: 'opaque' | 'jwt'
}

/** By the leeway of clocks a JWT may be taken for some minutes after its expiry (RFC 7519 §4.1.4). */
export function needsOpaqueTokens({ tokenFormat }: TokenFormat): string | undefined {
  return tokenFormat === 'opaque'
    ? undefined
    : 'access tokens are JWTs (provider.tokenFormat), which clocks that differ let live some minutes longer'
}
