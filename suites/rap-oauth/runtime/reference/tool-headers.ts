/** Which headers a request to a tool carries. */

import type { Settings } from './config.ts'

/** A discovery document may name any endpoint, but our headers are for the configured origin only. */
export function toolHeaders(
  settings: Settings,
  base: string,
  url: string,
): Readonly<Record<string, string>> {
  return new URL(base).origin === new URL(url).origin ? settings.toolHeaders : {}
}
