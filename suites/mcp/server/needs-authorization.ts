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
