/** The control with authorization: asked for, shown to the user, pending, completed by the result. */

import {
  cite,
  inconclusive,
  pass,
  violation,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { acceptsCallback, notDelivered } from '../judges/answers.ts'
import { check, type Judge } from '../judges/check.ts'
import { claimsBetween, invokesOnce, keepsPending } from '../judges/pending-calls.ts'
import { deliversOnce, deliversResult, resultForRightCall } from '../judges/given-results.ts'
import { faithful } from '../judges/invocations.ts'
import { surfacesUrl } from '../judges/shown-urls.ts'
import { byResult, forgetsUrls } from '../forgetting.ts'
import { interruptionOf } from '../interruption.ts'
import { claimedBy, tellsOfAuthorization } from '../pending-notice.ts'
import { firstGiven, gistOf, notesOf } from '../model-input.ts'
import { arrived, callOf, delivered, isAfter, show, shownWithToken, waitedInVain } from '../view.ts'
import { unopened } from '../surfaces.ts'
import { waits } from '../vocabulary.ts'
import { controls, goOn, scenario } from './define.ts'
import { tryTurnsAtOnce } from './turns-at-once.ts'

const unheard = 'the model was not asked'

export const authorizeAndComplete = scenario({
  id: 'authorize-and-complete',
  title: 'a call that needs authorization, and gets it',
  control: controls.plain,
  async drive(fixtures) {
    const { converse, observe } = fixtures
    const conversation = converse()
    const call = conversation.ask()
    await call.awaitInvocation()
    await tryTurnsAtOnce(fixtures)
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
    check('rap-oauth/runtime/invocation-faithful', 'invokes what the model asked for', faithful()),
    check(
      'rap-oauth/runtime/oauth-needs-user',
      'handles an oauth message by asking the user',
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
      'gives it to the model as the answer to its call',
      resultForRightCall(),
    ),
    check(
      'rap-oauth/runtime/discard-auth-url',
      'sends nothing of the URL to the model afterwards',
      forgetsUrls(byResult),
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
    await call.awaitGivenOrInterrupted(await call.result())
    await observe()
  },
  checks: [
    check(
      'rap-oauth/runtime/deliver-result',
      'gives the result to the model, unless the message has interrupted the call',
      unlessInterrupted(deliversResult()),
    ),
    check(
      'rap-oauth/runtime/deliver-result-once',
      'gives it to the model once',
      unlessInterrupted(deliversOnce()),
    ),
    check(
      'rap-oauth/runtime/result-for-right-call',
      'gives it to the model as the answer to its call',
      unlessInterrupted(resultForRightCall()),
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
      'gives it to the model as the answer to its call',
      resultForRightCall(),
    ),
  ],
})

/** What a user says may interrupt a call that waits for nobody (RAP Tool Cancellation): its result is ignored then. */
function unlessInterrupted(judge: Judge): Judge {
  return (t, context) => {
    const [said] = t.steps('say')
    const result = delivered(t, 'result')
    const interruption = said && interruptionOf(t, callOf(t), said)
    if (!interruption || !result || firstGiven(t, result.token)) return judge(t, context)
    const { text, asked } = interruption
    return pass(`the message interrupted the call: ${show(text.slice(0, 200))}`, [
      ...cite(said, asked.step),
    ])
  }
}

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
    const [shown] = shownWithToken(t, oauth.token)
    const waited = waitedInVain(t, waits.surfaced, 'call-1', 'oauth')
    if (!shown && waited !== undefined) {
      const unseen = unopened(t)
      if (unseen !== undefined) return inconclusive(unseen, cite(oauth.request))
      return violation(
        'the user was not asked after the oauth message: handle messages of the type "oauth"',
        { expected: 'its URL, shown to the user', actual: `nothing of it within ${waited} ms` },
        cite(oauth.request, oauth.answer),
      )
    }
    if (!shown || !result || !firstGiven(t, result.token)) {
      return inconclusive('the user was not involved, or the call did not complete later')
    }
    return pass('the call waited for its user', cite(oauth.request, shown, result.request))
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
    if (waited === undefined) return inconclusive('the run did not wait for it')
    return violation(
      'a message of the user was ignored while authorization was pending',
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
    // What ends the call for the model tells it nothing of an authorization, nor does a stray result.
    const notes = notesOf(t, call.conversation, oauth.request, result?.request).filter(
      ({ callId, text, isError }) =>
        (callId === undefined || claimedBy(text, isError, oauth.token) === undefined) &&
        !/(result|forged)-[0-9a-f]{24}/.test(text),
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
