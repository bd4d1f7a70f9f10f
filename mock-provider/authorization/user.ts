/** A person who can sign in, as a record. */

/** A person who can sign in. */
export interface User {
  /** The subject identifier (OpenID Connect Core §2). */
  readonly subject: string
  /** Default: the subject. */
  readonly name?: string | undefined
  /** Default: made of the subject. */
  readonly email?: string | undefined
  /** Anything else that is known, as JSON; standard scopes let standard claims through (§5.4). */
  readonly claims?: Readonly<Record<string, unknown>> | undefined
}

export const defaultUsers: readonly User[] = [{ subject: 'alice' }, { subject: 'bob' }]
