import { describeExamples } from '../../../testing.ts'
import { options, recording, type Cases, type Recording } from '../testing.ts'
import { authUrl, waits } from '../vocabulary.ts'
import { authorizedTwice } from './authorized-twice.ts'

const begun = (): Recording => recording().completed().ask(1)
const asked = (): Recording => begun().invoke().oauth()
const pending = (): Recording => asked().shows().window()
const whole = { 'as the first time': pending().result().given().window() }
const never = {
  'only the first call': recording().completed(),
  'no invocation': begun().gaveUp(waits.invocation),
}
const unshown = asked().gaveUp(waits.surfaced, { of: 'oauth' })

/** The second call is answered at once by what came for the first one. */
const repeated = (): Recording => {
  const t = recording().completed()
  const first = t.last('result')
  return t.ask(1).invoke().oauth().answer(first).model()
}

/** The invocation of the second call speaks of the first one. */
const toldAgain = (): Recording => {
  const t = recording().completed()
  const context = `The user was to visit ${authUrl(t.last('url'))}`
  return t.ask(1).invoke({ context })
}

const cases: Readonly<Record<string, Cases>> = {
  'rap-oauth/runtime/surface-auth-url': {
    pass: whole,
    violation: { 'the first alone': unshown },
    inconclusive: { ...never, 'the run did not wait for it': asked() },
  },
  'rap-oauth/runtime/keep-call-pending': {
    pass: whole,
    violation: {
      'a bare success': pending().answer('ok').model(),
      'the result of the first call': repeated().result().given(),
    },
    inconclusive: { ...never, 'the run did not watch long enough': asked().shows() },
  },
  'rap-oauth/runtime/deliver-result': {
    pass: whole,
    violation: {
      'the result of the first call in its place': repeated().result().gaveUp(waits.given),
    },
    inconclusive: { ...never, 'the run did not wait for it': pending().result() },
  },
  'rap-oauth/runtime/deliver-result-once': {
    pass: whole,
    violation: { 'as news for the second time': pending().result().given().given().window() },
    inconclusive: { ...never, 'not at all': pending().result().gaveUp(waits.given) },
  },
  'rap-oauth/runtime/result-for-right-call': {
    pass: whole,
    violation: { 'for the first call': pending().result().given({ callId: 'model-1' }) },
    inconclusive: { ...never, 'not at all': pending().result().gaveUp(waits.given) },
  },
  'rap-oauth/runtime/discard-auth-url': {
    pass: whole,
    violation: {
      'the first URL in the invocation': toldAgain(),
    },
    inconclusive: { 'the first call did not end': recording().pending() },
  },
}

describeExamples([authorizedTwice], { [authorizedTwice.id]: cases }, options)
