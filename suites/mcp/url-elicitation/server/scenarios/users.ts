/** Whose data users get: judged where a server can tell its users apart. */

import { inconclusive, type Check } from '../../../../../harness/engine/index.ts'
import type { Declared } from '../configuration.ts'

/** Without authorization one user may be all that a server is for, so that whoever calls is that user. */
export function ofUsers({ judge, ...rest }: Check<Declared>): Check<Declared> {
  return {
    ...rest,
    judge(t, context) {
      const { authorization, transport } = context.declared
      const found = judge(t, context)
      if (found.outcome !== 'violation' || authorization || transport === 'stdio') return found
      return inconclusive(
        `${found.message}; without authorization (target.authorization) it may be meant for one user alone`,
        found.evidence,
      )
    },
  }
}
