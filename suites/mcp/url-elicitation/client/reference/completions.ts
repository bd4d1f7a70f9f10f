/** What waits for the end of an interaction out of band; notifications of anything else are ignored. */

export class Completions {
  readonly #pending = new Map<string, () => void>()

  /** Resolves when this elicitation is complete. */
  of(elicitationId: string): Promise<void> {
    return new Promise((resolve) => {
      this.#pending.set(elicitationId, resolve)
    })
  }

  /** A server says so; of ids that are unknown, or complete already, nothing comes. */
  complete(elicitationId: string): void {
    this.#pending.get(elicitationId)?.()
    this.#pending.delete(elicitationId)
  }
}
