/** The configuration that certifies the reference implementation of a profile, in a process of its own. */

import type { AnyProfile } from '../../harness/engine/index.ts'
import { packageInfo } from '../package-info.ts'

/** What `run` certifies without --config and --url. */
export function embeddedConfiguration({ id, reference }: AnyProfile): Record<string, unknown> {
  const { name, settings } = reference
  return {
    profile: id,
    implementation: { name, version: packageInfo.version },
    ...settings(),
  }
}
