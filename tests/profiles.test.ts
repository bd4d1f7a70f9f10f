/** Every profile of the registry has the form that the rest of this project rests on. */

import { profiles } from '../suites/registry.ts'
import { describeProfile } from './describe-profile.ts'
import { profileFolder } from './profile-folder.ts'

for (const profile of profiles) {
  describeProfile(profile, new URL(`../suites/${profileFolder(profile.id)}/`, import.meta.url))
}
