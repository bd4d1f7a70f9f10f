/** Whose a credential is, and under which name it is kept. */

export interface Owner {
  readonly user: string
  readonly key: string
}

/** Each user has credentials of their own, for each key. */
export function recordOf({ user, key }: Owner): string {
  return `credential ${JSON.stringify([user, key])}`
}
