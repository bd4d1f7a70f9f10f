/** What is to be certified, held against the tolerances of a certification. */

import { timingSchema } from '../../harness/engine/index.ts'
import { certificationTiming } from '../../reports/index.ts'
import type { Subject } from './configure.ts'

/** The subject with the durations of a certification, and what of its own does not count, one line each. */
export function certificationSubject(configured: Subject): {
  readonly subject: Subject
  readonly overruled: readonly string[]
} {
  const { configuration } = configured
  const timing = certificationTiming(configuration.timing)
  const usual = new Map(Object.entries(timingSchema.parse({})))
  const used = new Map(Object.entries(timing))
  return {
    subject: { ...configured, configuration: { ...configuration, timing } },
    overruled: Object.entries(configuration.timing)
      .filter(([name, value]) => value !== usual.get(name) && value !== used.get(name))
      .map(
        ([name, value]) =>
          `timing.${name} is ${used.get(name)} ms in a certification, not ${value} ms`,
      ),
  }
}
