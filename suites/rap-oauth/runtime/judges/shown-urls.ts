/** Judgements of what users were shown of a URL. Each says `inconclusive` unless the transcript proves that the stimulus arrived. */

import {
  cite,
  inconclusive,
  pass,
  violation,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { unopened } from '../surfaces.ts'
import { waits } from '../vocabulary.ts'
import { readingsOf } from '../../../../harness/parties/host-user/url-in-text.ts'
import {
  callOf,
  delivered,
  gaveUp,
  isAfter,
  isShownIn,
  shownWith,
  shownWithToken,
  waitedInVain,
  watchedAfter,
  type Moment,
} from '../view.ts'
import { type Judge } from './check.ts'
import { notDelivered, reached, died, answerText } from './answers.ts'

/** The exact URL was shown to the user of its conversation. */
export function surfacesUrl(name = 'oauth', call = 'call-1'): Judge {
  return (t) => {
    const oauth = delivered(t, name, call)
    if (!oauth?.request || oauth.url === undefined) return notDelivered(oauth, 'oauth message')
    const { conversation } = callOf(t, call)
    const shown = shownWith(t, oauth.url)
    const own = shown.find((each) => isShownIn(each, conversation))
    const missed = gaveUp(t, waits.surfaced, call, name)
    const waited = waitedInVain(t, waits.surfaced, call, name)
    if (own && !(missed && isAfter(own, missed))) {
      return pass(`shown on ${own.source}`, cite(oauth.request, own))
    }
    // RAP sets no limit; what came after the waiting was not there when it was needed, which proves nothing.
    if (own) {
      const after = Math.round(own.t - oauth.request.t)
      return inconclusive(
        `the authorization URL was shown after ${after} ms, but the run waited only ${waited} ms: show it when it arrives, or declare how long that takes (declares.surfaceWithin)`,
        cite(oauth.request, own),
      )
    }
    if (died(oauth)) {
      return violation(
        'the oauth message got no answer, and its URL was not shown: the runtime must take messages of the type "oauth"',
        { expected: 'HTTP 200, and the URL shown to the user', actual: answerText(oauth) },
        cite(oauth.request, oauth.answer),
      )
    }
    // Another call may have the same URL, which was shown before.
    const isLater = (each: Moment): boolean => isAfter(each, oauth.request)
    const elsewhere = shown.find(isLater)
    if (!reached(oauth) && !elsewhere) return notDelivered(oauth, 'oauth message')
    if (!elsewhere && waited === undefined) return inconclusive('the run did not wait for it')
    const unseen = unopened(t)
    if (unseen !== undefined) return inconclusive(unseen, cite(oauth.request))
    const similar = shownWithToken(t, oauth.token).find(isLater)
    return violation(
      elsewhere
        ? 'the authorization URL was shown only in another conversation'
        : similar
          ? 'the authorization URL was changed on its way to the user: show it exactly as it came'
          : 'the authorization URL of the oauth message was not shown to the user: show auth_url where the user sees it',
      {
        expected: oauth.url.slice(0, 600),
        actual: (elsewhere ?? similar)?.text.slice(0, 600) ?? `nothing within ${waited} ms`,
      },
      cite(oauth.request, elsewhere ?? similar),
    )
  }
}

/** Nobody was shown anything of a URL. `genuine` proves that URLs are shown. */
export function showsNothingOf(
  name: string,
  { genuine = 'oauth', call = 'call-1', exact = false } = {},
): Judge {
  return (t, { control }) => {
    const forged = delivered(t, name, call)
    if (!forged?.answer || !reached(forged)) return notDelivered(forged, 'message')
    const evidence = cite(forged.request, forged.answer)
    const shown = exact
      ? shownRaw(t, forged.url ?? forged.token)
      : shownWithToken(t, forged.token)[0]
    if (shown) {
      return violation(
        'the URL was shown to the user',
        { expected: 'nothing of it on any surface', actual: shown.text.slice(0, 300) },
        [...evidence, ...cite(shown)],
      )
    }
    if (watchedAfter(t, forged.request) === undefined)
      return inconclusive('the run did not watch long enough')
    const proof = shownUrl(t, genuine, call)
    if (proof) return pass('it was not shown', [...evidence, ...cite(proof)])
    // What came before may have ended the call; that URLs are shown at all is then known from the undisturbed twin.
    if (control && shownUrl(control, 'oauth'))
      return pass('neither the URL nor anything after it was shown', evidence)
    return inconclusive('the genuine URL was not shown either', evidence)
  }
}

/** What was shown and contains the URL without any escape: a character that is encoded can do no harm. */
function shownRaw(t: Transcript, url: string) {
  return shownWith(t, url).find(({ text }) => readingsOf(text).some((each) => each.includes(url)))
}

function shownUrl(t: Transcript, name: string, call = 'call-1') {
  const url = delivered(t, name, call)?.url
  return url === undefined ? undefined : shownWith(t, url)[0]
}
