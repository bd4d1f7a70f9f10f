import { describeExamples } from '../../../testing.ts'
import { options, recording, type Recording } from '../testing.ts'
import { argumentsOfEveryKind, completeWithoutOAuth } from './complete-without-oauth.ts'
import { accepted, delivered, deliveredOnce, faithfulInvocation, forRightCall } from './testing.ts'

const asked = () => recording().ask()
const filter = { labels: ['ä', ''], exact: false, limit: 0 }

/** The model writes the filter, and the runtime sends this one. */
const invokedWith = (sent: unknown): Recording => {
  const t = recording().ask(1, undefined, { filter })
  return t.invoke({ arguments: { ...t.invocation.arguments, filter: sent } })
}
const none = { 'no invocation': asked() }

describeExamples(
  [completeWithoutOAuth, argumentsOfEveryKind],
  {
    'complete-without-oauth': {
      'rap-oauth/runtime/invocation-is-json-post': {
        pass: {
          JSON: asked().invoke(),
          'with a charset': asked().invoke({}, 200, {
            'content-type': 'application/json; charset=utf-8',
          }),
        },
        violation: {
          'another method': asked().event({
            type: 'request',
            channel: 'invocation',
            exchange: 'x9',
            call: 'call-1',
            method: 'PUT',
            url: 'http://127.0.0.1:4400/invoke',
            headers: { 'content-type': 'application/json' },
          }),
          'another type': asked().invoke({}, 200, { 'content-type': 'text/plain' }),
          'no JSON': asked().exchange('invocation', 'http://127.0.0.1:4400/invoke', 'x=1', 200, {
            'content-type': 'application/json',
          }),
        },
        inconclusive: none,
      },
      'rap-oauth/runtime/invocation-valid': {
        pass: {
          valid: asked().invoke(),
          'with what is optional, and more': asked().invoke({
            call_id: null,
            thread_ancestors: ['root'],
            user_id: 'user-1',
            version: 2,
          }),
        },
        violation: {
          'no operation': asked().invoke({ operation: undefined }),
          'arguments in a string': asked().invoke({ arguments: '{}' }),
          'arguments in a list': asked().invoke({ arguments: [] }),
          'an id that is a number': asked().invoke({ id: 7 }),
          'an empty group_id': asked().invoke({ group_id: '' }),
          'no callback_url': asked().invoke({ callback_url: undefined }),
          'a user_id that is a number': asked().invoke({ user_id: 7 }),
        },
        inconclusive: none,
      },
      'rap-oauth/runtime/invocation-faithful': faithfulInvocation,
      'rap-oauth/runtime/usable-callback-url': {
        pass: {
          'it takes a result': asked().invoke().result(),
          'it takes one, but refuses this': asked().invoke().result('result', { answer: 400 }),
        },
        violation: {
          'no URL': asked().invoke({ callback_url: '/callback' }),
          'another scheme': asked().invoke({ callback_url: 'ftp://127.0.0.1/callback' }),
          'nothing is there': asked().invoke().result('result', { answer: 404 }),
          'nobody listens': asked().invoke().result('result', { answer: 'ECONNREFUSED' }),
        },
        inconclusive: { ...none, 'nothing was sent': asked().invoke() },
      },
      'rap-oauth/runtime/accept-valid-callback': accepted((answer) =>
        recording().running().result('result', answer),
      ),
      'rap-oauth/runtime/deliver-result': delivered,
      'rap-oauth/runtime/deliver-result-once': deliveredOnce,
      'rap-oauth/runtime/result-for-right-call': forRightCall,
    },
    'arguments-of-every-kind': {
      'rap-oauth/runtime/invocation-faithful': {
        pass: { 'as they are': invokedWith(filter) },
        violation: {
          'an inner object as a text': invokedWith(JSON.stringify(filter)),
          'a list as an object': invokedWith({ ...filter, labels: { 0: 'ä', 1: '' } }),
          'nothing of what is false or empty': invokedWith({ labels: ['ä', ''] }),
          'a number as a text': invokedWith({ ...filter, limit: '0' }),
        },
        inconclusive: none,
      },
    },
  },
  options,
)
