import { describeExamples, withoutShared } from '../../../../testing.ts'
import { options, recording, type Cases, type Recording } from '../testing.ts'
import { unfinishedScenarios } from './unfinished.ts'

const control = recording('connect-and-complete').served()
const inWords = recording('connect-and-complete').agreed().authorized().access().result('3 items')
const agreed = () => recording().agreed()

/** What must not come of a call that was not finished as `unfinished` says. */
const notDone = (unfinished: () => Recording, reached: string): Cases => ({
  pass: {
    'it stays pending': [unfinished().window(), {}, control],
    'it fails': [unfinished().failed().window(), {}, control],
    'it ends in words': [unfinished().result('Go on in your browser.').window(), {}, control],
    'it ends in an object that says so': [
      unfinished().result('{"error":"no"}').window(),
      {},
      control,
    ],
    'it ends in other words': [unfinished().result('not yet').window(), {}, inWords],
  },
  violation: {
    'it ends with a list, as one that was served': [
      unfinished().result('[]').window(),
      {},
      control,
    ],
    'it ends in the same words': [unfinished().result('3 items').window(), {}, inWords],
  },
  inconclusive: {
    [reached]: [recording().begin().failed().window(), {}, control],
    'nobody watched': [unfinished(), {}, control],
    'no control was served': [unfinished().window(), {}, recording().agreed().failed()],
    'there is no control': unfinished().window(),
    'somebody authorized all the same': [
      unfinished().grant().access().result().window(),
      {},
      control,
    ],
  },
})

const accepted = notDone(agreed, 'nobody agreed')

describeExamples(
  unfinishedScenarios.map(withoutShared),
  {
    'accept-only': {
      'mcp-url-elicitation/server/accept-is-not-done': {
        ...accepted,
        pass: {
          ...accepted.pass,
          'by an error': [
            recording().begin().required().attempt().required().window(),
            {},
            control,
          ],
          'in a result': [
            recording().begin().input().retry('accept').input().window(),
            {},
            control,
          ],
        },
        inconclusive: {
          ...accepted.inconclusive,
          'the answer did not arrive': [
            recording().begin().elicit().answer('accept', 404).window(),
            {},
            control,
          ],
        },
      },
      'mcp-url-elicitation/server/complete-after': {
        pass: { 'nothing is said': agreed().window() },
        violation: { 'it is said to be complete': agreed().complete().window() },
        inconclusive: {
          'nobody agreed': recording().begin().window(),
          'nobody watched': agreed(),
        },
        'not-applicable': { 'a later revision': [agreed(), { revision: '2026-07-28' }] },
      },
    },
    'modern-accept-only': {
      'mcp-url-elicitation/server/accept-is-not-done': notDone(
        () => recording().begin().input().retry('accept'),
        'nobody agreed',
      ),
    },
    'denied-at-the-provider': {
      'mcp-url-elicitation/server/accept-is-not-done': notDone(
        () => agreed().callback({ error: 'access_denied' }),
        'the browser did not come back',
      ),
    },
  },
  options,
)
