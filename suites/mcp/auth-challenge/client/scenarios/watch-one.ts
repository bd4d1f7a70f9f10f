import type { Rules } from '../rules.ts'
import type { Fixtures } from '../test-bed.ts'

/** The call is challenged, and what comes of it is watched. */
export async function watchOne(
  { open, user, observe }: Fixtures,
  rules: Partial<Rules> = {},
): Promise<void> {
  const call = open(user, { rules }).begin()
  await call.attempted()
  await call.reopened()
  await observe()
}
