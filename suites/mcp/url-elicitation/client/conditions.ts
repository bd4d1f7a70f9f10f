/** What a vendor configured or declared that takes scenarios away. */

import { hasHandshake } from '../../wire/revisions.ts'
import type { Declared } from './configuration.ts'

export function needsModern({ modern }: Declared): string | undefined {
  return modern ? undefined : 'revision 2026-07-28 is not declared (declares.modern)'
}

/** Revisions with requests of the server, which later ones have not. */
export function needsHandshake({ revision }: Declared): string | undefined {
  return hasHandshake(revision) ? undefined : `revision ${revision} has nothing of the kind`
}

export function needsTwoServers({ twoServers }: Declared): string | undefined {
  return twoServers ? undefined : 'the client is told of one server only (no {mcp.url2})'
}

export function needsOpening({ opens }: Declared): string | undefined {
  return opens ? undefined : 'the client opens no URL itself (declares.opens)'
}
