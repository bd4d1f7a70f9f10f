/** The command or its configuration cannot be used: nothing was tried, exit code 2. */

export class UsageError extends Error {
  readonly code = 'usage'
  /** What could be done about it, one hint per line. */
  readonly hints: readonly string[]
  constructor(message: string, hints: readonly string[] = []) {
    super(message)
    this.name = 'UsageError'
    this.hints = hints
  }
}
