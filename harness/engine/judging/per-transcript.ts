/** Reads each recording once: many questions are asked of it, and it never changes. */

import type { Transcript } from '../recording/transcript.ts'

/** The same function, which computes what it reads of a recording under a name only once. */
export function perTranscript<V>(
  read: (t: Transcript, name: string) => V,
): (t: Transcript, name: string) => V {
  const known = new WeakMap<Transcript, Map<string, V>>()
  return (t, name) => {
    const values = known.get(t) ?? new Map<string, V>()
    known.set(t, values)
    if (!values.has(name)) values.set(name, read(t, name))
    return values.get(name) as V
  }
}
