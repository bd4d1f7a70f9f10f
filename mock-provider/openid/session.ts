/** What is kept of a user agent's session. */

/** A session of a user agent, as it is kept. */
export interface Session {
  /** The value of the cookie. */
  readonly id: string
  readonly subject: string
  /** When the user signed in, in milliseconds by the provider's clock. */
  readonly authenticatedAt: number
  /** What was granted, by client. */
  readonly consents: Readonly<Record<string, readonly string[]>>
}
