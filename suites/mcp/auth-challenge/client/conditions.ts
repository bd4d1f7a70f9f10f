/** What a vendor configured or declared that takes scenarios away. */

import type { Declared } from './configuration.ts'

export function needsModern({ modern }: Declared): string | undefined {
  return modern ? undefined : 'revision 2026-07-28 is not declared (declares.modern)'
}

export function needsTwoServers({ twoServers }: Declared): string | undefined {
  return twoServers ? undefined : 'the client is told of one server only (no {mcp.url2})'
}
