/** Finds a profile by its id, or says which there are. */

import { suggest } from './suggest.ts'
import { UsageError } from './usage-error.ts'

/** @param file - the configuration that names it. @throws {@link UsageError} */
export function profileNamed<Profile extends { readonly id: string }>(
  id: unknown,
  profiles: readonly Profile[],
  file?: string,
): Profile {
  const found = profiles.find((profile) => profile.id === id)
  if (found) return found
  const known = profiles.map((profile) => profile.id)
  const where = file === undefined ? '' : ` in ${file}`
  const what =
    id === undefined
      ? `profile: nothing found${where}`
      : `profile: unknown profile ${JSON.stringify(id)}${where}`
  const [nearest] = suggest(String(id), known)
  throw new UsageError(`${what}, expected one of: ${known.join(', ')}`, [
    ...(nearest ? [`did you mean ${nearest}?`] : []),
    'aoc list profiles shows them',
  ])
}
