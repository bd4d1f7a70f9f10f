/** Whether users are served with the tokens that were issued to them. */

import {
  cite,
  inconclusive,
  isAfter,
  pass,
  violation,
  type Judgement,
  type Transcript,
} from '../../harness/engine/index.ts'
import { issuedGrant } from '../oauth-client/view.ts'
import { callOf, callsOf, outcomeIn, subjectsTold } from './view.ts'

/** Judged by whose data the model was given: results name the account that they are from. */
export function servedWithTheirOwn(t: Transcript): Judgement {
  const told = callsOf(t).flatMap((call) => {
    const subject = String(t.provider('decision', call.name)[0]?.detail['subject'])
    return subjectsTold(call).map((each) => ({ call, subject, each }))
  })
  const foreign = told.find(({ subject, each }) => each !== subject)
  if (foreign) {
    const difference = {
      expected: `data of ${foreign.subject}`,
      actual: `data of ${foreign.each}`,
    }
    const evidence = cite(foreign.call.message, foreign.call.modelAsked.at(-1))
    return violation('the tool ran with the token of another user', difference, evidence)
  }
  if (told.length < 2)
    return inconclusive(
      'no two results, in requests to the model after the first of a run, name the account they are from',
    )
  return pass(`${told.length} results`, cite(told[0]?.call.modelAsked.at(-1)))
}

/** The run that is resumed after a consent calls the API with the token that was just issued. */
export const usesIssuedToken = (t: Transcript): Judgement => usesIssuedTokenIn('call-1', t)

/** The same in a call of that name. */
export function usesIssuedTokenIn(name: string, t: Transcript): Judgement {
  const call = callOf(t, name)
  const issued = issuedGrant(call)
  const resume = call.resumes.find((step) => isAfter(step, issued))
  if (!issued) return inconclusive('no token was issued')
  if (!resume) return inconclusive('the pause was not resumed after that')
  const outcome = call.outcomes.findLast((step) => isAfter(step, resume))
  const evidence = cite(issued, resume, outcome)
  const used = call.accesses.find((access) => isAfter(access, resume))
  if (used) return pass('the API was called with its token', [...evidence, ...cite(used)])
  if (!outcome) return inconclusive('the resumed run neither paused nor ended', evidence)
  const again = call.pauses.find(({ event }) => event.seq === outcome.seq)
  if (again && again.payload['pause_type'] !== 'oauth')
    return inconclusive('it paused for something else, and was not resumed', evidence)
  const asked = call.modelAsked.find((step) => isAfter(step, resume))
  const actual = `${outcomeIn(outcome)}, ${asked ? 'and' : 'the model was not asked, and'} no request to the API`
  const difference = { expected: 'a request to the API with the token of its user', actual }
  return violation('the resumed run did not use the token', difference, evidence)
}
