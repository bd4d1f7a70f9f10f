/** The profiles that are registered, each with what `suites/<profile>/{reference,proof}` says of its proof. */

import type { AnyProfile } from '../../harness/engine/index.ts'
import { profiles } from '../../suites/registry.ts'
import { profileFolder } from '../profile-folder.ts'
import type { Role } from './role.ts'

export const roles: readonly Role[] = await Promise.all(profiles.map(load))

async function load(profile: AnyProfile): Promise<Role> {
  const part = <T>(file: string): Promise<T> =>
    import(
      new URL(`../../suites/${profileFolder(profile.id)}/${file}`, import.meta.url).href
    ) as Promise<T>
  const [{ defects }, { oddities }, { expected }, { settings }] = await Promise.all([
    part<Pick<Role, 'defects'>>('reference/defects.ts'),
    part<Pick<Role, 'oddities'>>('reference/oddities.ts'),
    part<Pick<Role, 'expected'>>('proof/expected.ts'),
    part<Pick<Role, 'settings'>>('proof/settings.ts'),
  ])
  return { profile, defects, oddities, expected, settings }
}
