/** Writes what is seen at a surface into the recordings that it concerns. */

import type { Recorder, Transcript } from '../../../harness/engine/index.ts'
import type { Sighted, SurfaceState } from '../../../harness/parties/index.ts'
import { tokensIn, type Attribution } from './attribution.ts'
import { readingsOf } from '../../../harness/parties/host-user/url-in-text.ts'

/** Name of the step that says whether a surface can be opened. */
const surfaceState = 'surface-state'

/**
 * Why nothing can be seen at a surface, where none has shown anything: the configuration is to name another place, or the
 * runtime is to serve this one.
 */
export function unopened(t: Transcript): string | undefined {
  if (t.surfaces().length > 0) return undefined
  const latest = new Map(t.steps(surfaceState).map(({ detail }) => [detail['url'], detail]))
  const failing = [...latest.values()].find(({ problem }) => problem !== undefined)
  return (
    failing &&
    `the ${String(failing['source'])} surface at ${String(failing['url'])} could not be opened (${String(failing['problem'])}): see surface in the configuration`
  )
}

/** Writes into the recordings of its conversation whether a surface can be opened. */
export function recordState(state: SurfaceState, attribution: Attribution): void {
  for (const { recorder } of attribution.scopesIn(state.conversation))
    if (!recorder.ended)
      recorder.record({ type: 'step', action: surfaceState, detail: { ...state } })
}

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
