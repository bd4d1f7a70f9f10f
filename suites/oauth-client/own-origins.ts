/** At which origins the recording knows the client. */

import type { Transcript } from '../../harness/engine/index.ts'

/** `undefined` where it names none. */
export function ownOrigins(t: Transcript): readonly unknown[] | undefined {
  const deployments = t.steps('deployment')
  if (deployments.at(-1)?.detail['origins'] === undefined) return undefined
  // Instances that clients start have origins of their own.
  return [...deployments, ...t.steps('started')].flatMap(({ detail }) => detail['origins'] ?? [])
}
