/** Whether an authorization URL is forgotten once its call has ended (RAP OAuth, Security Considerations). */

import {
  cite,
  inconclusive,
  pass,
  violation,
  type Recorded,
  type RecordedEvent,
  type RequestEvent,
  type StepEvent,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { tokensIn, tokensOf } from './attribution.ts'
import { around } from './judges/given-results.ts'
import { type Judge } from './judges/check.ts'
import { firstGiven } from './model-input.ts'
import { arrived, delivered, gaveUp, isAfter } from './view.ts'
import { waits } from './vocabulary.ts'

/** What ended the call: from then on nobody needs its URL. */
export type Ending = (t: Transcript, userTimeoutMs: number) => RecordedEvent | undefined

/**
 * A request that was under way when the result came still speaks of a pending call. One that holds the result does not, nor
 * does one long afterwards.
 */
export const byResult: Ending = (t) => {
  const result = delivered(t, 'result')
  if (!arrived(result)) return undefined
  return firstGiven(t, result.token)?.asked.step ?? gaveUp(t, waits.given)
}

/** The same: what is asked while it is watched may have been under way. */
export const byUser: Ending = (t) => {
  const [cancel] = t.steps('cancel')
  return t.steps('window').find((step) => isAfter(step, cancel))
}

export const stillStored = 'the authorization URL is still stored after the call has ended'

export const nothingStored =
  'nothing is stored at the declared places: declare where conversations are stored, or leave out declares.storage where they are not'

interface ForgettingOptions {
  /** The oauth messages whose URLs it is about. */
  readonly names?: readonly string[]
  /** Whether the declared storage was looked at. */
  readonly scanned?: boolean
}

/** What tools are sent of a URL after the end of its call; that a call has ended is what they are notified of. */
function toldTools(t: Transcript, end: RecordedEvent, token: string) {
  const later = t.requests('invocation').filter((request) => isAfter(request, end))
  return [...t.requests('notification'), ...later].find(
    ({ url, headers, body }: RequestEvent) =>
      tokensOf(body).includes(token) || tokensIn(JSON.stringify([url, headers])).includes(token),
  )
}

/** Nothing of the URLs is sent to the model or to tools after the end of the call, nor found in the declared storage. */
export function forgetsUrls(
  ended: Ending,
  { names = ['oauth'], scanned = false }: ForgettingOptions = {},
): Judge {
  return (t, { declared }) => {
    const end = ended(t, declared.userTimeoutMs ?? 0)
    const sent = names.map((name) => delivered(t, name)).filter(arrived)
    if (!end || sent.length < names.length) return inconclusive('the call did not end')
    const evidence = cite(...sent.map(({ request }) => request), end)
    const later = t.requests('model').filter((request) => isAfter(request, end))
    for (const { token } of sent) {
      const told = toldTools(t, end, token)
      if (told) {
        return violation(
          'the authorization URL is sent to a tool after its call has ended',
          { expected: 'nothing of the URL', actual: around(told.body?.text ?? '', token) },
          [...evidence, ...cite(told)],
        )
      }
      const keeping = later.find(({ body }) => tokensOf(body).includes(token))
      if (!keeping) continue
      return violation(
        'the authorization URL is still sent to the model after the call has ended',
        { expected: 'nothing of the URL', actual: around(keeping.body?.text ?? '', token) },
        [...evidence, ...cite(keeping)],
      )
    }
    const scans = scanned && declared.storage ? t.steps('scanned') : []
    const found = scans.find(({ detail }) => (detail['found'] as unknown[]).length > 0)
    if (found) {
      return violation(stillStored, { expected: 'nothing of the URL', actual: foundIn(found) }, [
        ...evidence,
        ...cite(found),
      ])
    }
    if (later.length === 0) return inconclusive('the model was not asked afterwards')
    if (scanned && declared.storage && bytesOf(scans) === 0) {
      return inconclusive(nothingStored)
    }
    const stored = scans.length > 0 ? ` and ${scans.length} files` : ''
    return pass(`${later.length} requests${stored} without it`, cite(...later))
  }
}

export function foundIn({ detail }: Recorded<StepEvent>): string {
  return `in ${String(detail['path'])}: ${JSON.stringify(detail['found'])}`
}

export function bytesOf(scans: readonly Recorded<StepEvent>[]): number {
  return scans.reduce((sum, { detail }) => sum + Number(detail['bytes']), 0)
}
