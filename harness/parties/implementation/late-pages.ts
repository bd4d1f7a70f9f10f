/** Pages of programs that say nothing of when they listen: a program that speaks over standard output need not. */

import { setTimeout as delay } from 'node:timers/promises'
import { HttpFailure, type Transport } from '../http.ts'
import type { Implementation } from './implementation.ts'

/** Milliseconds between two attempts. */
const pause = 40

/**
 * A transport that tries again for so many milliseconds where such a program refuses a connection: nothing was sent then.
 * Who has ended, or is nobody of these, refuses at once.
 */
export function withLatePages(
  transport: Transport,
  programs: readonly Pick<Implementation, 'url' | 'gone'>[],
  within: number,
): Transport {
  const mayStart = (url: string): boolean =>
    programs.some((each) => !each.gone.aborted && new URL(each.url).origin === new URL(url).origin)
  return async (request) => {
    const deadline = performance.now() + within
    for (;;) {
      try {
        return await transport(request)
      } catch (error) {
        const refused = error instanceof HttpFailure && error.code === 'ECONNREFUSED'
        if (!refused || performance.now() >= deadline || !mayStart(request.url)) throw error
        await delay(pause, undefined, { signal: request.signal }).catch(() => undefined)
        if (request.signal?.aborted) throw error
      }
    }
  }
}
