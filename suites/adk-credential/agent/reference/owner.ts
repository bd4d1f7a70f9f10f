/** Whose a credential is, and under which name it is kept. */

export interface Owner {
  readonly user: string
  readonly key: string
  /** The id of the session that it is needed in: others may have the same. */
  readonly session: string
}

/** Each user has credentials of their own, for each key. */
export function recordOf({ user, key }: Owner): string {
  return `credential ${JSON.stringify([user, key])}`
}
