/** Whether secrets were given to whom they are not for. */

import {
  cite,
  inconclusive,
  pass,
  unreadKind,
  violation,
  type Judgement,
  type Recorded,
  type RecordedEvent,
  type RequestEvent,
  type Sighting,
  type Transcript,
} from '../../../harness/engine/index.ts'
import type { Judge } from './checks.ts'

export const tokens = ['access_token', 'refresh_token']

export function issued(t: Transcript): boolean {
  return t.provider('grant').some(({ detail }) => detail['outcome'] === 'issued')
}

/** No secret of these kinds in any request to the model, in any encoding. */
export function toldNothingOf(kinds: readonly string[]): Judge {
  return (t) => {
    if (!issued(t)) return inconclusive('no token was issued in the whole run')
    const asked = t.requests('model')
    if (asked.length === 0) return inconclusive('the model was never asked')
    return scanned(asked, kinds)
  }
}

/** No secret of these kinds in these requests to the model. */
export function scanned(
  asked: readonly Recorded<RequestEvent>[],
  kinds: readonly string[],
): Judgement {
  const found = leakIn(asked, kinds, 'was given to the model')
  if (found) return found
  const unread = asked.find(({ secrets: seen }) => seen?.some(({ kind }) => kind === unreadKind))
  if (unread) return inconclusive('a request is nested beyond what is read', cite(unread))
  return pass(`${asked.length} requests scanned`, cite(...asked.slice(0, 3)))
}

/** Whether what was found in an event is a leak there. */
export type Counts = (event: RecordedEvent, sighting: Sighting) => boolean

export function leakIn(
  events: readonly RecordedEvent[],
  kinds: readonly string[],
  what: string,
  counts: Counts = () => true,
) {
  for (const event of events) {
    const leak = event.secrets?.find((each) => kinds.includes(each.kind) && counts(event, each))
    if (!leak) continue
    const difference = { expected: 'nothing secret', actual: `${leak.at}, ${leak.encoding}` }
    return violation(`${nameOf(leak.kind)} (${leak.id}) ${what}`, difference, cite(event))
  }
  return undefined
}

/** What a secret is called in a finding. */
function nameOf(kind: string): string {
  if (kind === 'pending_state') return 'the state of a flow'
  return kind === 'resume_handle' ? 'the handle of a pause' : kind
}
