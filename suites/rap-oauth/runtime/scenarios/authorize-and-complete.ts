/** The control with authorization: asked for, shown to the user, pending, completed by the result. */

import { cite, inconclusive, pass, violation, type Transcript } from '../../../../harness/index.ts'
import {
  acceptsCallback,
  check,
  claimsBetween,
  deliversOnce,
  deliversResult,
  invokesOnce,
  keepsPending,
  notDelivered,
  resultForRightCall,
  surfacesUrl,
  type Judge,
} from '../checks.ts'
import { claimedBy, tellsOfAuthorization } from '../status.ts'
import { firstGiven, gistOf, notesOf } from '../told.ts'
import { arrived, callOf, delivered, isAfter, show, shownWith, waitedInVain } from '../view.ts'
import { controls, goOn, scenario } from './define.ts'

const unheard = 'the model was not asked'

export const authorizeAndComplete = scenario({
  id: 'authorize-and-complete',
  title: 'a call that needs authorization, and gets it',
  async drive({ converse, observe }) {
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    const oauth = await call.oauth()
    const surfaced = await goOn(call.awaitSurfaced(oauth))
    await observe()
    const result = await call.result()
    const given = await goOn(call.awaitGiven(result))
    await observe()
    surfaced()
    given()
    await conversation.awaitModel(conversation.say())
  },
  checks: [
    check(
      'rap-oauth/runtime/oauth-needs-user',
      'takes an oauth message as a matter for the user',
      needsUser(),
    ),
    check('rap-oauth/runtime/surface-auth-url', 'shows the URL to the user', surfacesUrl()),
    check('rap-oauth/runtime/keep-call-pending', 'keeps the call pending', keepsPending()),
    check('rap-oauth/runtime/no-invocation-retry', 'does not invoke again', invokesOnce()),
    check(
      'rap-oauth/runtime/accept-valid-callback',
      'accepts an oauth message',
      acceptsCallback('oauth'),
    ),
    check(
      'rap-oauth/runtime/deliver-result',
      'gives the late result to the model',
      deliversResult(),
    ),
    check('rap-oauth/runtime/deliver-result-once', 'gives it to the model once', deliversOnce()),
    check(
      'rap-oauth/runtime/result-for-right-call',
      'gives it to the model for its call',
      resultForRightCall(),
    ),
    check(
      'rap-oauth/runtime/discard-auth-url',
      'sends nothing of the URL to the model afterwards',
      modelForgets(),
    ),
  ],
})

export const talkWhileRunning = scenario({
  id: 'talk-while-running',
  title: 'the user goes on talking while a call without authorization runs',
  async drive({ converse, observe }) {
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    await goOn(conversation.awaitModel(conversation.say(), unheard))
    await call.awaitGiven(await call.result())
    await observe()
  },
  checks: [
    check('rap-oauth/runtime/deliver-result', 'gives the result to the model', deliversResult()),
    check('rap-oauth/runtime/deliver-result-once', 'gives it to the model once', deliversOnce()),
    check(
      'rap-oauth/runtime/result-for-right-call',
      'gives it to the model for its call',
      resultForRightCall(),
    ),
  ],
})

export const talkWhilePending = scenario({
  id: 'talk-while-pending',
  title: 'the user goes on talking while authorization is pending',
  control: controls.talk,
  async drive({ converse, observe }) {
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    const oauth = await call.oauth()
    const surfaced = await goOn(call.awaitSurfaced(oauth))
    await goOn(conversation.awaitModel(conversation.say(), unheard))
    await observe()
    const result = await call.result()
    await call.awaitGiven(result)
    await observe()
    surfaced()
  },
  checks: [
    check('rap-oauth/runtime/usable-while-pending', 'lets the user go on talking', usable()),
    check(
      'rap-oauth/runtime/inform-model',
      'tells the model that authorization is in progress',
      informsModel(),
    ),
    check('rap-oauth/runtime/keep-call-pending', 'keeps the call pending', keepsPending()),
    check('rap-oauth/runtime/no-invocation-retry', 'does not invoke again', invokesOnce()),
    check(
      'rap-oauth/runtime/deliver-result',
      'gives the late result to the model',
      deliversResult(),
    ),
    check('rap-oauth/runtime/deliver-result-once', 'gives it to the model once', deliversOnce()),
    check(
      'rap-oauth/runtime/result-for-right-call',
      'gives it to the model for its call',
      resultForRightCall(),
    ),
  ],
})

function needsUser(): Judge {
  return (t) => {
    const oauth = delivered(t, 'oauth')
    if (!arrived(oauth)) return notDelivered(oauth, 'oauth message')
    const call = callOf(t)
    const result = delivered(t, 'result')
    const [claim] = claimsBetween(t, call, oauth, result)
    if (claim) {
      return violation(
        `the oauth message ended the call: the model got ${claim.claim}; handle the type "oauth" apart from results`,
        { expected: 'a call that waits for its user', actual: show(claim.text.slice(0, 300)) },
        cite(oauth.request, claim.asked.step),
      )
    }
    const shown = oauth.url === undefined ? undefined : shownWith(t, oauth.url)[0]
    if (!shown || !result || !firstGiven(t, result.token)) {
      return inconclusive('the user was not involved, or the call did not complete later')
    }
    return pass('the call waited for its user', cite(oauth.request, shown, result.request))
  }
}

function modelForgets(): Judge {
  return (t) => {
    const [oauth, result] = [delivered(t, 'oauth'), delivered(t, 'result')]
    if (!arrived(oauth) || !arrived(result)) return inconclusive('the call did not complete')
    const later = t
      .requests('model')
      .filter((request) => result.request && isAfter(request, result.request))
    if (later.length === 0) return inconclusive('the model was not asked afterwards')
    const keeping = later.find(({ body }) => body?.text.includes(oauth.token))
    if (!keeping) return pass(`${later.length} requests without it`, cite(...later))
    return violation(
      'the authorization URL is still sent to the model after the call has completed',
      { expected: 'nothing of the URL', actual: around(keeping.body?.text ?? '', oauth.token) },
      cite(oauth.request, result.request, keeping),
    )
  }
}

function usable(): Judge {
  return (t) => {
    const oauth = delivered(t, 'oauth')
    if (!arrived(oauth)) return notDelivered(oauth, 'oauth message')
    const [said] = t.steps('say')
    if (!said) return inconclusive('the user said nothing')
    const asked = firstGiven(t, String(said.detail['reference']))
    const result = delivered(t, 'result')
    if (asked && (!result?.request || isAfter(result.request, asked.asked.step))) {
      return pass('the model was asked', cite(said, asked.asked.step))
    }
    const waited = waitedInVain(t, unheard)
    if (waited === undefined) return inconclusive('it was not waited for')
    return violation(
      'a message of the user got no attention while authorization is pending',
      { expected: 'a request to the model with the message', actual: `none within ${waited} ms` },
      cite(oauth.request, said),
    )
  }
}

/**
 * Whatever its language: the model was told something that it was not told while the twin's call, which needs no
 * authorization, was running. Words that name an authorization tell by themselves.
 */
function informsModel(): Judge {
  return (t, { control }) => {
    const oauth = delivered(t, 'oauth')
    if (!arrived(oauth) || !oauth.request) return notDelivered(oauth, 'oauth message')
    const call = callOf(t)
    const result = delivered(t, 'result')
    // What ends the call for the model tells it nothing of an authorization; that is judged elsewhere.
    const notes = notesOf(t, call.conversation, oauth.request, result?.request).filter(
      ({ callId, text, isError }) =>
        callId === undefined || claimedBy(text, isError, oauth.token) === undefined,
    )
    const usual = control ? usualNotes(control) : new Set()
    const telling =
      notes.find(({ text }) => tellsOfAuthorization(text)) ??
      notes.find(({ text }) => !usual.has(gistOf(text, call)))
    if (telling) {
      return pass(show(telling.text.slice(0, 200)), cite(oauth.request, telling.asked.step))
    }
    const [said] = t.steps('say')
    const chat = said && firstGiven(t, String(said.detail['reference']))
    const waited = waitedInVain(t, unheard)
    if (!chat && waited === undefined) return inconclusive('the model was not asked')
    return violation(
      'the model is not told that authorization is in progress, so it cannot tell the user',
      {
        expected: 'a status message such as "The user has been asked to authorize this call."',
        actual: !chat
          ? `no request to the model within ${waited} ms after a message of the user`
          : notes.length === 0
            ? 'nothing new beside the message of the user'
            : `the same as for any call that runs: ${show(notes.map(({ text }) => text))}`,
      },
      cite(oauth.request, said, chat?.asked.step),
    )
  }
}

/** What the model is told of a call that runs without any authorization. */
function usualNotes(control: Transcript): Set<string> {
  const call = callOf(control)
  const [first] = call.invocations
  if (!first) return new Set()
  const before = delivered(control, 'result')?.request
  const notes = notesOf(control, call.conversation, first, before)
  return new Set(notes.map(({ text }) => gistOf(text, call)))
}

function around(text: string, token: string): string {
  const at = text.indexOf(token)
  return text.slice(Math.max(0, at - 150), at + token.length + 50)
}
