/** The people who can sign in. */
import type { ProviderState } from '../provider/state.ts'
import type { User } from './user.ts'

/** The user with this subject; anybody can be one. */
export async function findUser(
  { settings, users }: Pick<ProviderState, 'settings' | 'users'>,
  subject: string,
): Promise<User> {
  const changed = await users.get(subject)
  return changed ?? settings.users.find((user) => user.subject === subject) ?? { subject }
}

/** Everybody who can be chosen: those of the options, as they were changed, and those that were added. */
export async function listUsers({
  settings,
  users,
}: Pick<ProviderState, 'settings' | 'users'>): Promise<readonly User[]> {
  const all = new Map(settings.users.map((user) => [user.subject, user]))
  for (const user of await users.list()) all.set(user.subject, user)
  return [...all.values()]
}
