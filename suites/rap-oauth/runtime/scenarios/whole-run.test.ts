import { Transcript } from '../../../../harness/engine/index.ts'
import { describeExamples } from '../../../testing.ts'
import { options, recording, tokenOf, type Recording } from '../testing.ts'
import { identified } from './testing.ts'
import { wholeRun } from './whole-run.ts'

const several = (...all: readonly Recording[]) => ({
  transcript: Transcript.merge(all.map(({ transcript }) => transcript)),
})
const discovered = (endpoint?: string): Recording => {
  const place = { channel: 'discovery', exchange: 'discovery' } as const
  const url = 'http://127.0.0.1:4400/.well-known/rap-toolset'
  const text = JSON.stringify({ endpoint })
  return recording()
    .event({ type: 'request', ...place, method: 'GET', url, headers: {} })
    .event({ type: 'response', ...place, status: 200, headers: {}, body: { text, bytes: 99 } })
}
const astray = (t: Recording): Recording => {
  const place = { channel: 'discovery', exchange: 'astray' } as const
  const url = 'http://127.0.0.1:4401/.well-known/rap-toolset'
  return t
    .event({ type: 'request', ...place, method: 'GET', url, headers: {} })
    .event({ type: 'response', ...place, status: 404, headers: {} })
}
const misplaced = (url: string, t: Recording): Recording => {
  const place = { channel: 'invocation', exchange: 'misplaced' } as const
  return t
    .event({ type: 'request', ...place, method: 'POST', url, headers: {} })
    .event({ type: 'response', ...place, status: 404, headers: {} })
}
const printed = (source: string, text: string, t = recording().completed()): Recording =>
  t.event({ type: 'output', source, text, bytes: text.length })
const leak = (source: string): Recording => {
  const t = recording().completed()
  return printed(source, `shown: ${t.last('url')}`, t)
}

describeExamples(
  [wholeRun],
  {
    'whole-run': {
      'rap-oauth/runtime/fetch-toolset': {
        pass: {
          fetched: discovered().ask().invoke(),
          'at the endpoint that it names': discovered('http://127.0.0.1:4400/invoke')
            .ask()
            .invoke(),
        },
        violation: {
          'invoked without': recording().running(),
          'invoked before': recording()
            .running()
            .exchange('discovery', 'http://127.0.0.1:4400/.well-known/rap-toolset', ''),
          'the document is looked for at another place': astray(discovered()).ask().invoke(),
          'at another place': misplaced(
            'http://127.0.0.1:4400/invoke',
            discovered('http://127.0.0.1:4400/notes').ask(),
          ),
          'the toolset of another tool alone': recording()
            .exchange('discovery', 'http://127.0.0.1:4401/.well-known/rap-toolset', '')
            .running(),
        },
        inconclusive: {
          'nothing was invoked': recording().ask(),
          'it may have been fetched before this run': [recording().running(), { owned: false }],
        },
      },
      'rap-oauth/runtime/isolate-conversations': {
        pass: {
          'apart, in two scenarios': several(
            recording('one').plain(),
            recording('two').ask(2).invoke().result().given(),
          ),
          'what the same user said elsewhere': recording()
            .plain()
            .ask(2, undefined, {}, 1)
            .tell({ role: 'system', text: `Remember: ${tokenOf('result', 1)}` })
            .model(),
          'what is heard late of a drive whose recording was replaced': several(
            recording('one').plain(),
            recording('two')
              .ask(2)
              .tell({ role: 'user', text: `Please, reference ${tokenOf('ref', 9)}` })
              .model(),
          ),
        },
        violation: {
          'what was said in another scenario': several(
            recording('one').plain(),
            recording('two')
              .ask(2)
              .tell({ role: 'user', text: `Tool said: ${tokenOf('result', 1)}` })
              .model(),
          ),
        },
        inconclusive: { 'one alone': recording().plain() },
      },
      'rap-oauth/runtime/user-id-of-own-user': identified,
      'rap-oauth/runtime/unique-call-id': {
        pass: {
          'each its own': recording().running().ask().invoke(),
          'the same for a retry': recording().running().invoke().ask().invoke(),
          'the same in two threads': recording().running().ask().invoke({ id: 'id of call-1' }),
          'the same in two instances': recording()
            .running()
            .ask(1)
            .invoke({ id: 'id of call-1', callback_url: 'http://127.0.0.1:4301/callback' }),
        },
        violation: {
          'one for both': recording().running().ask(1).invoke({ id: 'id of call-1' }),
          'one for both, which have the same arguments': recording()
            .running()
            .on(2, 1)
            .step('ask', { reference: tokenOf('ref', 1), conversation: tokenOf('conv', 1) })
            .invoke({ id: 'id of call-1' }),
          'one for both, at a URL that is none': recording()
            .ask(1)
            .invoke({ id: 'one', callback_url: '/callback' })
            .ask(1)
            .invoke({ id: 'one', callback_url: '/callback' }),
        },
        inconclusive: { 'one call': recording().running(), none: recording().ask() },
      },
      'rap-oauth/runtime/discard-auth-url': {
        pass: {
          'other lines': printed('shared stdout', 'ready'),
          'no lines at all': recording().completed(),
          'the error output is the user interface': [
            leak('shared stderr'),
            { outputSurfaces: ['stderr'] },
          ],
          'the output is the user interface': [
            leak('shared stdout'),
            { outputSurfaces: ['stdout'] },
          ],
        },
        violation: {
          'in its output': leak('shared stdout'),
          'in its output, beside its user interface': [
            leak('shared stdout'),
            { outputSurfaces: ['stderr'] },
          ],
          'in its error output, beside its user interface': [
            leak('shared stderr'),
            { outputSurfaces: ['stdout'] },
          ],
          'in a log file': leak('log runtime.log'),
        },
        inconclusive: {
          'no URL was sent': printed('shared stdout', 'ready', recording().plain()),
          'the declared files are empty': [recording().completed(), { owned: false }],
        },
        'not-applicable': { 'nothing is known of its logs': [leak('x'), { logs: false }] },
      },
    },
  },
  options,
)
