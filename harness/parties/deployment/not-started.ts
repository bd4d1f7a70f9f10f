/** An implementation that was not started here. */

import type { Implementation } from '../implementation/implementation.ts'

/** In place of an implementation that is no process of ours: nothing can be done to it, and it is never gone. */
export function notStarted(url: string): Implementation {
  return {
    url,
    headers: {},
    owned: false,
    group: undefined,
    gone: new AbortController().signal,
    lost: () => undefined,
    write: () => undefined,
    check: () => Promise.resolve(undefined),
    restart: () =>
      Promise.reject(new Error('the run cannot restart an implementation that it did not start')),
    stop: () => Promise.resolve(),
  }
}
