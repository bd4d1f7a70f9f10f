import { describeExamples } from '../../../../testing.ts'
import { options, recording, type Cases } from '../testing.ts'
import { modernScenarios } from './modern.ts'

const asked = () => recording().begin().input()
const served = () => asked().authorized().retry('accept').access().result()
const request = (method: string) => ({ inputRequests: { a: { method, params: {} } } })

const refused = (action: string): Cases => {
  const retried = () => asked().retry(action)
  return {
    pass: {
      'an error result': retried().failed(),
      'words of any kind': retried().result('Fine.'),
      'asked anew': retried().input(),
    },
    violation: {
      'the retry stays pending': retried().gaveUp(),
      'a code was redeemed': retried().grant().failed(),
    },
    inconclusive: {
      'there was no retry': asked(),
      'the retry said something else': asked().retry('accept').failed(),
      'the run did not wait for the end': retried(),
    },
  }
}

describeExamples(
  modernScenarios,
  {
    modern: {
      'mcp-url-elicitation/server/input-required-valid': {
        pass: {
          'requests and state': asked(),
          'requests alone': recording().begin().input({ requestState: undefined }),
          'state alone': recording().begin().input({ inputRequests: undefined }),
          'another kind that is allowed': recording().begin().input(request('roots/list')),
        },
        violation: {
          neither: recording().begin().input({ inputRequests: undefined, requestState: undefined }),
          'no request among them': recording()
            .begin()
            .input({ inputRequests: {}, requestState: undefined }),
          'state that is no string': recording()
            .begin()
            .input({ requestState: { a: 1 } }),
          'a kind that there is not': recording().begin().input(request('auth/request')),
          'it does not say so': recording().begin().input({ resultType: undefined }),
          'it says something else': recording().begin().input({ resultType: 'complete' }),
        },
        inconclusive: {
          'no input was asked for': recording().begin().result(),
          'nothing is asked of anybody': recording()
            .begin()
            .result('3 items', { inputRequests: { a: { method: 'items/list' } } }),
        },
      },
      'mcp-url-elicitation/server/gate-mode': {
        pass: {
          'URL mode': asked(),
          'URL mode, as before': recording().begin().required(),
          'state alone': recording().begin().input({ inputRequests: undefined }),
          'a kind that there is not is for input-required-valid': recording()
            .begin()
            .input(request('auth/request')),
        },
        violation: {
          'a form': recording().begin().input(request('elicitation/create')),
          roots: recording().begin().input(request('roots/list')),
          sampling: recording().begin().input(request('sampling/createMessage')),
          'in the second round': asked().retry('accept').input(request('roots/list')),
        },
        inconclusive: { 'no input was asked for': recording().begin().result() },
      },
      'mcp-url-elicitation/server/removed-features': {
        pass: { 'asked in a result': served() },
        violation: {
          'asked by a request': recording().begin().elicit(),
          'asked by the error': recording().begin().required(),
          'a ping': asked().stream({ id: 'p', method: 'ping' }),
        },
        inconclusive: {
          'it was not served': asked().retry('accept').failed(),
          'nothing was asked': recording().begin().fails(),
        },
      },
    },
    'modern-decline': { 'mcp-url-elicitation/server/end-after-refusal': refused('decline') },
    'modern-cancel': { 'mcp-url-elicitation/server/end-after-refusal': refused('cancel') },
  },
  options,
)
