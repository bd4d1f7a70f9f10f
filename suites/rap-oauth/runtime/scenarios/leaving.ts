/** The user leaves, and comes back: a pending call goes on, and of one that has completed no URL is left. */

import {
  cite,
  inconclusive,
  notApplicable,
  pass,
  violation,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import type { Call } from '../call.ts'
import type { Declared } from '../configuration.ts'
import { around, deliversResult } from '../judges/given-results.ts'
import { check, type Judge } from '../judges/check.ts'
import { keepsPending } from '../judges/pending-calls.ts'
import { surfacesUrl } from '../judges/shown-urls.ts'
import { bytesOf, foundIn, nothingStored, stillStored } from '../forgetting.ts'
import { firstGiven } from '../model-input.ts'
import {
  callsOf,
  delivered,
  isAfter,
  shownWith,
  shownWithToken,
  waitedInVain,
  watchedAfter,
  type CallView,
} from '../view.ts'
import { controls, goOn, scenario } from './define.ts'
import { awaitAtOnce, callsAtOnce } from './needs.ts'

export const reopens = ({ reopens }: Declared): string | undefined =>
  reopens ? undefined : 'no declared surface can be opened again'

const left = scenario({
  id: 'user-leaves-while-pending',
  title: 'the user closes the page while authorization is pending, then the result arrives',
  control: controls.oauth,
  notApplicable: reopens,
  async drive({ converse, observe }) {
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    const surfaced = await goOn(call.awaitSurfaced(await call.oauth()))
    await conversation.leave()
    await observe()
    await call.awaitGiven(await call.result())
    surfaced()
  },
  checks: [
    check(
      'rap-oauth/runtime/keep-call-pending',
      'keeps the call pending for a user who has left',
      onceLeft(keepsPending()),
    ),
    check(
      'rap-oauth/runtime/deliver-result',
      'gives the late result to the model although the page is closed',
      onceLeft(deliversResult()),
    ),
  ],
})

function onceLeft(judge: Judge): Judge {
  return (t, context) => {
    const [step] = t.steps('left')
    if (!step) return inconclusive('the user did not leave')
    const result = delivered(t, 'result')?.request
    if (result && isAfter(step, result)) return inconclusive('the user left too late')
    return judge(t, context)
  }
}

const forgotten = scenario({
  id: 'storage-after-completion',
  title: 'what is stored of an authorization URL when the call has completed',
  control: controls.oauth,
  async drive({ converse, observe, scanStorage }) {
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    const oauth = await call.oauth()
    const surfaced = await goOn(call.awaitSurfaced(oauth))
    await call.awaitGiven(await call.result())
    await conversation.awaitModel(conversation.say())
    await observe()
    await scanStorage([oauth.token])
    surfaced()
  },
  checks: [
    check('rap-oauth/runtime/discard-auth-url', 'stores nothing of the URL afterwards', stored()),
  ],
})

function stored(): Judge {
  return (t, { declared }) => {
    if (!declared.storage) return notApplicable('no storage is declared (declares.storage)')
    const [oauth, result] = [delivered(t, 'oauth'), delivered(t, 'result')]
    if (!oauth || !result || !firstGiven(t, result.token))
      return inconclusive('the call did not complete')
    const scans = t.steps('scanned')
    const found = scans.find(({ detail }) => (detail['found'] as unknown[]).length > 0)
    if (found) {
      return violation(
        stillStored,
        { expected: 'nothing of the URL', actual: foundIn(found) },
        cite(oauth.request, result.request, found),
      )
    }
    const bytes = bytesOf(scans)
    if (bytes === 0) return inconclusive(nothingStored)
    return pass(`${scans.length} files, ${bytes} bytes`, cite(result.request, ...scans))
  }
}

export const forgottenForWhoComesBack: Judge = (t) => {
  const oauth = delivered(t, 'oauth')
  const result = delivered(t, 'result')
  const [opened] = t.steps('reopened')
  if (!oauth || !result || !opened || !firstGiven(t, result.token))
    return inconclusive('the call did not complete')
  const shown = shownWithToken(t, oauth.token).find((event) => isAfter(event, opened))
  if (shown) {
    return violation(
      'the authorization URL is still shown to a user who comes back after the call has completed',
      { expected: 'nothing of the URL', actual: around(shown.text, oauth.token) },
      cite(oauth.request, result.request, opened, shown),
    )
  }
  if (watchedAfter(t, opened) === undefined)
    return inconclusive('the run did not watch long enough')
  return pass('nothing of it', cite(result.request, opened))
}

const reopened = scenario({
  id: 'reopened-after-completion',
  title: 'the user comes back when the call has completed',
  control: controls.oauth,
  notApplicable: reopens,
  async drive({ converse, observe }) {
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    await call.awaitSurfaced(await call.oauth())
    await call.awaitGiven(await call.result())
    await observe()
    conversation.reopen()
    await observe()
  },
  checks: [
    check(
      'rap-oauth/runtime/discard-auth-url',
      'does not show the URL to a user who comes back',
      forgottenForWhoComesBack,
    ),
  ],
})

const askedAway = scenario({
  id: 'asked-while-away',
  title: 'the authorization URL comes when the user has closed the page, and then they come back',
  control: controls.oauth,
  notApplicable: reopens,
  async drive({ converse, observe }) {
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    await conversation.leave()
    const oauth = await call.oauth()
    await observe()
    conversation.reopen()
    const surfaced = await goOn(call.awaitSurfaced(oauth))
    await call.awaitGiven(await call.result())
    surfaced()
  },
  checks: [
    check(
      'rap-oauth/runtime/surface-auth-url',
      'shows the URL to a user who comes back',
      onceAway(shownToWhoComesBack),
    ),
  ],
})

const overAway = scenario({
  id: 'over-while-away',
  title: 'the call is over before its user comes back, who has never seen the authorization URL',
  control: 'asked-while-away',
  notApplicable: reopens,
  async drive({ converse, observe }) {
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    await conversation.leave()
    await call.oauth()
    await observe()
    await call.awaitGiven(await call.result())
    await observe()
    conversation.reopen()
    await observe()
  },
  checks: [
    check(
      'rap-oauth/runtime/discard-auth-url',
      'does not show the URL to a user who comes back too late',
      onceAway(forgottenForWhoComesBack),
    ),
  ],
})

/** Judged where the user had left before the URL came. */
function onceAway(judge: Judge): Judge {
  return (t, context) => {
    const [step] = t.steps('left')
    const oauth = delivered(t, 'oauth')?.request
    if (!step || !oauth) return inconclusive('nothing came after the user had left')
    return isAfter(oauth, step) ? judge(t, context) : inconclusive('the user left too late')
  }
}

/** A history that is fetched apart is a surface of its own. */
function shownToWhoComesBack(...[t, context]: Parameters<Judge>): ReturnType<Judge> {
  const found = surfacesUrl()(t, context)
  if (found.outcome !== 'violation') return found
  const message = `${found.message}; if a user who comes back sees it elsewhere, for example in a history, declare that place as a surface, too`
  return { ...found, message }
}

const notShownAgain = 'the other link was not shown again'

/** Which of the links that calls wait for are shown to who came back, while all are pending. */
function shownAgain(t: Transcript): readonly CallView[] {
  const [opened] = t.steps('reopened')
  const ended = callsOf(t).flatMap(({ name }) => delivered(t, 'result', name)?.request ?? [])[0]
  return callsOf(t).filter(({ name }) => {
    const url = delivered(t, 'oauth', name)?.url
    const shown = url === undefined ? [] : shownWith(t, url)
    return shown.some((each) => isAfter(each, opened) && (!ended || isAfter(ended, each)))
  })
}

const reopenedWhilePending = scenario({
  id: 'reopened-while-pending',
  title: 'two calls wait for authorization in one conversation, and its user comes back',
  control: controls.oauth,
  notApplicable: reopens,
  needs: callsAtOnce,
  async drive({ converse, observe }) {
    const conversation = converse()
    const calls = conversation.askAtOnce(2)
    const [first, second] = calls as [Call, Call]
    await awaitAtOnce(first, second)
    const surfaced = await Promise.all(
      calls.map(async (call) => goOn(call.awaitSurfaced(await call.oauth()))),
    )
    conversation.reopen()
    await observe()
    const again = shownAgain(first.transcript()).length
    if (again === 1)
      await goOn(first.awaitThat(notShownAgain, (_, t) => shownAgain(t).length === 2))
    for (const call of calls) await call.result()
    for (const check of surfaced) check()
  },
  checks: [
    check('rap-oauth/runtime/surface-auth-url', 'keeps the links of both', (t) => {
      const calls = callsOf(t)
      const [opened] = t.steps('reopened')
      if (!opened) return inconclusive('the user did not come back')
      const cited = calls.flatMap(({ name }) => delivered(t, 'oauth', name)?.request ?? [])
      const missing = calls.find(({ name }) => {
        const url = delivered(t, 'oauth', name)?.url
        return url === undefined || !shownWith(t, url).some((each) => isAfter(opened, each))
      })
      if (missing || calls.length < 2)
        return inconclusive('the two links were not both shown before')
      if (watchedAfter(t, opened) === undefined)
        return inconclusive('the run did not watch long enough')
      const again = shownAgain(t)
      if (again.length === 0)
        return pass(
          'each link when it arrived, but none to the user who comes back',
          cite(...cited, opened),
        )
      if (again.length === calls.length) return pass('both', cite(...cited, opened))
      const lost = calls.find(({ name }) => !again.some((each) => each.name === name))
      const waited = waitedInVain(t, notShownAgain)
      if (waited === undefined) return inconclusive('the other link was not waited for')
      return violation(
        'one conversation has two waiting calls, but only one link is shown: show the link of every waiting call',
        {
          expected: 'both links, shown to the user who comes back',
          actual: `not that of ${lost?.name}`,
        },
        cite(...cited, opened),
      )
    }),
  ],
})

export const leavingScenarios = [
  left,
  forgotten,
  reopened,
  askedAway,
  overAway,
  reopenedWhilePending,
]
