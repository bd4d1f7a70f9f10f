/** Where exchanges wait that are held or delayed, until something ends the waiting. */

import type { ModelAnswer } from './model-reply.ts'

/** How a wait ended: with an answer, by the promise that was waited for, or without an answer. */
export type WaitEnd = ModelAnswer | 'due' | 'aborted' | 'closed'

interface Waiting {
  readonly held: boolean
  readonly end: (how: WaitEnd) => void
}

export class WaitingRoom {
  readonly #waiting = new Map<string, Waiting>()
  #closed = false

  /** Exchanges that wait for `release`, oldest first. */
  get held(): readonly string[] {
    return [...this.#waiting].filter(([, { held }]) => held).map(([exchange]) => exchange)
  }

  /** Waits for `until`, or for `release` without it. Rejects as `until` does. */
  wait(exchange: string, gone: AbortSignal, until?: Promise<unknown>): Promise<WaitEnd> {
    return new Promise<WaitEnd>((resolve, reject) => {
      const leaveRoom = (): void => {
        this.#waiting.delete(exchange)
        gone.removeEventListener('abort', leave)
      }
      const end = (how: WaitEnd): void => {
        leaveRoom()
        resolve(how)
      }
      const leave = (): void => end('aborted')
      this.#waiting.set(exchange, { held: until === undefined, end })
      gone.addEventListener('abort', leave)
      until?.then(
        () => end('due'),
        (error: unknown) => {
          leaveRoom()
          reject(error instanceof Error ? error : new Error(String(error)))
        },
      )
      if (this.#closed) end('closed')
      else if (gone.aborted) leave()
    })
  }

  /** Answers what is held: all of it, or one exchange. */
  release(answer: ModelAnswer, exchange?: string): void {
    for (const held of this.held) {
      if (exchange === undefined || held === exchange) this.#waiting.get(held)?.end(answer)
    }
  }

  /** Ends every wait, also those to come. */
  close(): void {
    this.#closed = true
    for (const { end } of this.#waiting.values()) end('closed')
  }

  get closed(): boolean {
    return this.#closed
  }
}
