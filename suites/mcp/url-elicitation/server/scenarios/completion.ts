/** Judgements about notifications of completion. */

import {
  cite,
  inconclusive,
  isAfter,
  pass,
  show,
  violation,
  watched,
  type Evidence,
  type Transcript,
} from '../../../../../harness/engine/index.ts'
import { completedIn } from '../../elicitation.ts'
import { callbackWith } from '../../../../oauth-client/arrival.ts'
import type { Judge } from '../checks.ts'
import { serverFrames, type Frame } from '../../../wire/frames.ts'
import { callsOf, type CallView } from '../view.ts'

/** A notification of completion, with the id that it names. */
interface Completion {
  readonly frame: Frame
  readonly id: unknown
}

export function completionsIn(t: Transcript): Completion[] {
  return serverFrames(t).flatMap((frame) => {
    const id = completedIn(frame.message)
    return id === undefined ? [] : [{ frame, id }]
  })
}

/** When its user opened an elicitation that leads to a page of the server, and nowhere else: it is no authorization. */
function shownPage(t: Transcript, { name, askings }: CallView, id: unknown) {
  const urls = askings.flatMap(({ params }) =>
    params['elicitationId'] === id ? params['url'] : [],
  )
  const opened = t.steps('visit', name).find(({ detail }) => urls.includes(detail['url']))
  const [visited] = t.steps('visited', name).filter((each) => isAfter(each, opened))
  const { ended, status } = visited?.detail ?? { ended: 'page', status: 0 }
  const isPage = ended === 'page' && Number(status) < 300
  return isPage ? opened : undefined
}

/** No notification of completion came before the browser of its call was back at the server. */
export function completedAfterReturn(
  reached: (t: Transcript) => readonly Evidence[] | string,
): Judge {
  return (t) => {
    const occasion = reached(t)
    for (const { frame, id } of completionsIn(t)) {
      const call = callsOf(t).find(({ askings }) =>
        askings.some(({ params }) => params['elicitationId'] === id),
      )
      if (!call) continue
      const back = callbackWith(t, call.name, 'code') ?? callbackWith(t, call.name, 'error')
      if (back && isAfter(frame.event, back)) continue
      if (isAfter(frame.event, shownPage(t, call, id))) continue
      return violation(
        'an interaction was reported as complete before the browser came back',
        { expected: 'the notification once it is complete', actual: `${show(id)} earlier` },
        cite(frame.event, back),
      )
    }
    if (typeof occasion === 'string') return inconclusive(occasion)
    if (watched(t) === undefined) return inconclusive('the run did not watch for it')
    const seen = completionsIn(t).map(({ frame }) => frame.event)
    return pass(seen.length > 0 ? 'it was reported afterwards' : 'nothing was reported before', [
      ...occasion,
      ...cite(...seen),
    ])
  }
}
