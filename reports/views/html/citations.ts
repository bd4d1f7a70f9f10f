/** Which events findings rest on, and how much hangs on each. */

import type { Evidence, Verdict } from '../../../harness/engine/index.ts'
import type { RunRecord } from '../../record/run-record.ts'
import { worstVerdict } from '../../record/summarize.ts'

export interface Citations {
  /** The worst verdict that rests on this event; `undefined` where nothing does. */
  readonly verdictAt: (event: Evidence) => Verdict | undefined
  /** Whether anything but a pass rests on it. */
  readonly matters: (event: Evidence) => boolean
}

/** Looks through the evidence of all findings once. */
export function citationsOf({ findings }: RunRecord): Citations {
  const verdicts = new Map<string, Verdict>()
  for (const { verdict, evidence } of findings) {
    for (const each of evidence) {
      const known = verdicts.get(key(each))
      const worst = worstVerdict(known === undefined ? [verdict] : [known, verdict])
      if (worst !== undefined) verdicts.set(key(each), worst)
    }
  }
  const verdictAt = (event: Evidence): Verdict | undefined => verdicts.get(key(event))
  return { verdictAt, matters: (event) => !['pass', undefined].includes(verdictAt(event)) }
}

function key({ scenario, seq }: Evidence): string {
  return `${seq} ${scenario}`
}
