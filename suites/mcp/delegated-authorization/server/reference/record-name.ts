/** Under which name the credential of a user is kept: each has one of their own. */

export function recordOf(subject: string): string {
  return `credential of ${subject}`
}
