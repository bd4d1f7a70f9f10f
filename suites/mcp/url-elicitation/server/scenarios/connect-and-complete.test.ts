import { describeExamples, withoutShared } from '../../../../testing.ts'
import { options, recording } from '../testing.ts'
import { connectAndComplete } from './connect-and-complete.ts'

const modern = { revision: '2026-07-28' } as const
const page = 'https://items.example/terms'
const dead = { ended: 'page', status: 404 }
const over = () => recording().agreed().result('connected')
/** An elicitation is said to be complete while, or after, its URL is open. */
const opened = (visited: Readonly<Record<string, unknown>>) =>
  recording()
    .begin()
    .elicit({ url: page })
    .answer('accept')
    .step('visit', { url: page })
    .complete()
    .step('visited', { ended: 'page', ...visited })
const again = () => recording().served().begin()

describeExamples(
  [withoutShared(connectAndComplete)],
  {
    'connect-and-complete': {
      'mcp-url-elicitation/server/gate-mode': {
        pass: {
          'by a request': recording().begin().elicit(),
          'by an error': recording().begin().required(),
          'in a result': recording().begin().input(),
        },
        violation: {
          'a form': recording().begin().elicit({ mode: 'form' }),
          'a form without its name': recording().begin().elicit({ mode: undefined }),
        },
        inconclusive: { 'nothing was asked': recording().begin().result() },
      },
      'mcp-url-elicitation/server/accept-is-not-done': {
        pass: {
          'its user authorizes': recording().served(),
          'its user authorizes after the call': recording().agreed().result('go on').authorized(),
        },
        violation: { 'it is over, and the URL leads nowhere': over().step('visited', dead) },
        inconclusive: {
          'nobody opened it': over(),
          'it was opened too late': [
            over().after(5000).step('visited', dead),
            { pendingTimeoutMs: 5000 },
          ],
          'the page was found': over().step('visited', { ...dead, status: 200 }),
          'the call failed': recording().agreed().failed().step('visited', dead),
          'the call waits': recording().agreed().step('visited', dead),
          'nobody agreed': recording().begin().elicit().result('?').step('visited', dead),
        },
      },
      'mcp-url-elicitation/server/error-only-when-needed': {
        pass: {
          'a result': again().result(),
          'asked again by a request': again().elicit(),
          'another error': again().fails(),
          'the second call was served after all': recording()
            .agreed()
            .authorized()
            .result('Please call again.')
            .begin()
            .on('call-1')
            .access()
            .on('call-2')
            .result(),
        },
        violation: { 'asked again by the error': again().required() },
        inconclusive: {
          'the first call was not served': recording().agreed().failed().begin().required(),
          'the second call was not answered': again(),
          'there was no second call': recording().served(),
        },
        'not-applicable': { 'a later revision': [again().result(), modern] },
      },
      'mcp-url-elicitation/server/complete-after': {
        pass: {
          'after the browser was back': recording()
            .agreed()
            .authorized()
            .complete()
            .result()
            .window(),
          'before the code was redeemed': recording()
            .agreed()
            .decision()
            .callback()
            .complete()
            .grant()
            .window(),
          never: recording().served().window(),
          'a page that is no authorization was done': opened({ status: 200 })
            .elicit({ elicitationId: 'b', url: 'https://items.example/connect' })
            .answer('accept')
            .authorized()
            .window(),
          'one of nobody is for another check': recording()
            .agreed()
            .complete('x')
            .authorized()
            .window(),
        },
        violation: {
          'as soon as the client agreed': recording().agreed().complete().authorized().window(),
          'and its URL led to an error': opened({ status: 404 }).authorized().window(),
          'its URL led to the provider': opened({ ended: 'interaction' }).authorized().window(),
          'and the browser never came back': recording().agreed().complete().window(),
        },
        inconclusive: {
          'nobody authorized': recording().agreed().window(),
          'nobody watched': recording().served(),
        },
        'not-applicable': { 'a later revision': [recording().served(), modern] },
      },
    },
  },
  options,
)
