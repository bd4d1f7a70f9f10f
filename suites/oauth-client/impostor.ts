/** Somebody who answers in place of the provider, by a certificate that is not its own. */

import {
  cite,
  inconclusive,
  isAfter,
  pass,
  violation,
  type Judgement,
  type Recorded,
  type Recorder,
  type RequestEvent,
  type Transcript,
} from '../../harness/engine/index.ts'
import type { Deployment, Imposture } from '../../harness/parties/index.ts'

/** Every certificate that is presented, each with what is said of it. */
export const impostures = [
  ['unknown-authority', 'from an authority that the implementation does not know'],
  ['another-name', 'of another host'],
] as const satisfies readonly (readonly [Imposture, string])[]

interface Connected {
  readonly recorder: Recorder
  readonly deployment: Pick<Deployment, 'impostor'>
}

/** Prepares one, which takes a while; it answers from when what is returned is called. */
export async function prepareImpostor(
  imposture: Imposture,
  { recorder, deployment }: Connected,
): Promise<() => void> {
  const note = (action: string, detail = {}): void => {
    if (!recorder.ended) recorder.record({ type: 'step', action, detail })
  }
  const takeOver = await deployment.impostor(imposture, () => note('connection-unused'))
  return () => {
    takeOver()
    note('impostor', { imposture })
  }
}

/**
 * Who checks certificates connects, and leaves without a request. Every connection that was open before has ended, and no
 * session can be resumed, so that a request after the change was made in spite of the certificate.
 */
export function leavesImpostor(
  t: Transcript,
  isTold: (request: Recorded<RequestEvent>) => boolean,
  message: string,
): Judgement {
  const [change] = t.steps('impostor')
  if (!change) return inconclusive('the harness did not change the certificate')
  const told = t.requests('provider').find((each) => isAfter(each, change) && isTold(each))
  if (told) {
    const kinds = [...new Set((told.secrets ?? []).map(({ kind }) => kind))]
    const found = kinds.length > 0 ? `a request with ${kinds.join(', ')}` : 'a request'
    const expected = 'the connection is closed without a request'
    return violation(message, { expected, actual: found }, cite(change, told))
  }
  const left = t.steps('connection-unused').find((step) => isAfter(step, change))
  return left
    ? pass('the connection was closed without a request', cite(change, left))
    : inconclusive('no connection was made while the wrong certificate was in use', cite(change))
}
