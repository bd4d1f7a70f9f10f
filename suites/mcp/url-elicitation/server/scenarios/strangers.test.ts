import { describeExamples } from '../../../../testing.ts'
import { options, recording, type Cases } from '../testing.ts'
import { strangerScenarios } from './strangers.ts'

/** The URL of the first call is opened by somebody else. */
const opened = () =>
  recording()
    .agreed()
    .step('visited', { ended: 'page' })
    .mark('opened')
    .on('call-1')
    .step('visited')

const cases: Cases = {
  pass: {
    'the next call is asked again': opened().begin().elicit(),
    'the next call fails': opened().begin().failed(),
    'what was authorized there is kept unused': opened().authorized().begin().elicit(),
    'without ids nothing says that it is complete': recording()
      .begin()
      .input()
      .retry('accept')
      .mark('opened')
      .step('visited')
      .authorized()
      .begin()
      .input(),
    'whoever opened it is asked who they are': opened()
      .grant()
      .access({ route: 'GET /userinfo', subject: 'subject-of-other' })
      .begin()
      .elicit(),
    'the initiator is told that it is over, where nothing was authorized': opened()
      .complete()
      .begin()
      .elicit(),
    'that it is over, where somebody else only logged in': [
      opened().redeemed('login', ['openid']).complete().begin().elicit(),
      {},
      recording().begin().elicit().redeemed('flow', ['items:read']),
    ],
  },
  violation: {
    'the call is served with it': opened().authorized().access().result().begin().elicit(),
    'the initiator is told that it is complete': opened().authorized().complete().begin().elicit(),
    'that it is complete, where a login is all there is': [
      opened().redeemed('flow', ['openid']).complete().begin().elicit(),
      {},
      recording().begin().elicit().redeemed('flow', ['openid']),
    ],
    'the next call is served with it': opened()
      .authorized()
      .begin()
      .on('call-1')
      .access()
      .on('call-2')
      .result(),
  },
  inconclusive: {
    'nobody opened it': recording().agreed().begin().elicit(),
    'it was only going to be opened': recording().agreed().mark('opened').begin().elicit(),
    'there was no next call': opened(),
    'the next call was not answered': opened().begin(),
  },
}

/** The same, in a browser that was brought the way back of a login before. */
const brought = (detail: Record<string, unknown> = { ended: 'page', status: 200 }) =>
  recording()
    .mark('brought')
    .on('login-1')
    .step('visited', detail)
    .agreed()
    .mark('opened')
    .on('call-1')
    .step('visited')

const loginCases: Cases = {
  pass: {
    'the next call is asked again': brought().begin().elicit(),
    'the way back is refused, and whoever opens the URL has to log in': brought({
      ended: 'page',
      status: 403,
    })
      .redeemed('login', ['openid'])
      .begin()
      .elicit(),
    'what was authorized there is kept unused': brought().authorized().begin().elicit(),
  },
  violation: {
    'the call is served with it': brought().authorized().access().result().begin().elicit(),
    'the initiator is told that it is complete': brought().authorized().complete().begin().elicit(),
  },
  inconclusive: {
    'the way back could not be followed': brought({ ended: 'failure' }).begin().elicit(),
    'nobody was brought it': opened().begin().elicit(),
    'nobody opened the URL': recording()
      .mark('brought')
      .on('login-1')
      .step('visited', { ended: 'page' })
      .agreed()
      .begin()
      .elicit(),
    'there was no next call': brought(),
  },
}

describeExamples(
  strangerScenarios,
  {
    'other-browser': { 'mcp-url-elicitation/server/same-user': cases },
    'finished-in-another-browser': { 'mcp-url-elicitation/server/same-user': cases },
    'login-of-another-browser': { 'mcp-url-elicitation/server/same-user': loginCases },
    'strange-browser': { 'mcp-url-elicitation/server/not-preauthenticated': cases },
  },
  options,
)
