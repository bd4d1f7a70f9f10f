/** The people who can sign in. */

export interface User {
  /** The subject identifier (OpenID Connect Core §2). */
  readonly subject: string
  /** Default: the subject. */
  readonly name?: string | undefined
  /** Default: made of the subject. */
  readonly email?: string | undefined
}

export const defaultUsers: readonly User[] = [{ subject: 'alice' }, { subject: 'bob' }]

/** What is known about a subject, one of the users or not (OpenID Connect Core §5.1). */
export function claimsOf(subject: string, users: readonly User[]) {
  const known = users.find((user) => user.subject === subject)
  return {
    name: known?.name ?? subject,
    email: known?.email ?? `${encodeURIComponent(subject)}@users.example`,
  }
}
