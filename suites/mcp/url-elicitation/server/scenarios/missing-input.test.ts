import { describeExamples } from '../../../../testing.ts'
import { options, recording, type Cases } from '../testing.ts'
import { missingInput } from './missing-input.ts'

const retried = () => recording().begin().input().attempt({ requestState: 's' })

const cases: Cases = {
  pass: {
    'it asks again': retried().input(),
    'it asks by the state alone': retried().input({ inputRequests: undefined }),
    'it ends in words': retried().result('Later, then.'),
    'it waits, and serves then': retried().authorized().access().result(),
  },
  violation: {
    'an error of the protocol': retried().fails(),
    'an error result': retried().failed(),
  },
  inconclusive: {
    'there was no retry': recording().begin().input(),
    'the retry was not answered': retried(),
    'it was waited for': retried().gaveUp(),
    'it fails when the user has authorized': retried().authorized().failed(),
    'its time was over': [retried().after(5000).failed(), { pendingTimeoutMs: 5000 }],
  },
}

describeExamples(
  [missingInput],
  { 'missing-input': { 'mcp-url-elicitation/server/ask-again': cases } },
  options,
)
