/** The user leaves, and comes back: a pending call goes on, and of one that has completed no URL is left. */

import {
  cite,
  inconclusive,
  notApplicable,
  pass,
  violation,
} from '../../../../harness/engine/index.ts'
import type { Declared } from '../configuration.ts'
import { around, check, deliversResult, keepsPending, type Judge } from '../checks.ts'
import { bytesOf, foundIn } from '../forgetting.ts'
import { firstGiven } from '../model-input.ts'
import { delivered, isAfter, shownWithToken, watchedAfter } from '../view.ts'
import { controls, goOn, scenario } from './define.ts'

const reopens = ({ reopens }: Declared): string | undefined =>
  reopens ? undefined : 'no declared surface can be opened anew'

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
    conversation.leave()
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
      'gives the late result to the model although nobody looks',
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
        'the authorization URL is still stored after the call has completed',
        { expected: 'nothing of the URL', actual: foundIn(found) },
        cite(oauth.request, result.request, found),
      )
    }
    const bytes = bytesOf(scans)
    if (bytes === 0) return inconclusive('nothing is stored at the declared places')
    return pass(`${scans.length} files, ${bytes} bytes`, cite(result.request, ...scans))
  }
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
      'shows nothing of the URL to who comes back',
      (t) => {
        const oauth = delivered(t, 'oauth')
        const result = delivered(t, 'result')
        const [opened] = t.steps('reopened')
        if (!oauth || !result || !opened || !firstGiven(t, result.token))
          return inconclusive('the call did not complete')
        const shown = shownWithToken(t, oauth.token).find((event) => isAfter(event, opened))
        if (shown) {
          return violation(
            'the authorization URL is still there for who comes back when the call has completed',
            { expected: 'nothing of the URL', actual: around(shown.text, oauth.token) },
            cite(oauth.request, result.request, opened, shown),
          )
        }
        if (watchedAfter(t, opened) === undefined) return inconclusive('it was not watched')
        return pass('nothing of it', cite(result.request, opened))
      },
    ),
  ],
})

export const leavingScenarios = [left, forgotten, reopened]
