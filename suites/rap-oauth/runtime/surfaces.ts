/** Writes what is seen at a surface into the recordings that it concerns. */

import type { Recorder } from '../../../harness/engine/index.ts'
import type { Sighted } from '../../../harness/parties/index.ts'
import { tokensIn, type Attribution } from './attribution.ts'
import { readingsOf } from '../../../harness/parties/host-user/url-in-text.ts'

/** Writes one sighting into every recording that it names, or into the log of the run. */
export function recordSighting(sighted: Sighted, attribution: Attribution, log: Recorder): void {
  const { source, text } = sighted
  const words = readingsOf(text).join('\n')
  const conversation =
    sighted.conversation ?? tokensIn(words).find((each) => each.startsWith('conv-'))
  const event = {
    type: 'surface',
    source,
    text,
    ...(conversation ? { conversation } : {}),
    ...(sighted.whole ? { whole: sighted.whole } : {}),
  } as const
  const named = attribution.scopesIn(`${words}\n${conversation ?? ''}`)
  const recorders = new Set(named.map(({ recorder }) => recorder).filter(({ ended }) => !ended))
  if (recorders.size === 0) log.record(event)
  for (const recorder of recorders) recorder.record(event)
}
