import { describeExamples } from '../../../testing.ts'
import { toolNames, waits } from '../vocabulary.ts'
import { options, recording, type Cases, type Recording } from '../testing.ts'
import { concurrencyScenarios } from './concurrency.ts'
import { crowd, delivered, givenToEach, keptApart, ofEvery } from './testing.ts'

function callCases(count: number, apart: boolean): Record<string, Cases> {
  const fine = crowd(count, apart)
  const spoiled = (spoil: (t: Recording) => Recording): Recording =>
    crowd(count, apart, (t, call) => (call === count ? spoil(t.shows()) : t.shows()))
  const last = crowd(count, apart)
    .on(count, apart ? count : 1)
    .result('late')
  return {
    ...givenToEach(count, apart),
    'rap-oauth/runtime/keep-call-pending': ofEvery(count, {
      pass: { 'each of them': fine },
      violation: { 'one ends at once': spoiled((t) => t.answer('null').model()) },
    }),
    'rap-oauth/runtime/no-invocation-retry': ofEvery(count, {
      pass: { 'each once': fine, 'and later ones': last },
      violation: { 'one twice': spoiled((t) => t.invoke()) },
    }),
  }
}

function crossing(count: number): Record<string, Cases> {
  return { ...keptApart(count), ...callCases(count, true) }
}

/** The user says something, the model is busy with it, and the result arrives meanwhile. */
function busy(meanwhile: (t: Recording) => Recording, ending: 200 | 'ECONNRESET' = 200): Recording {
  const t = recording().running().oauth().shows().say({ asks: false }).model({ ending })
  return meanwhile(t.result().window()).mark('answer')
}

const notAnew = 'neither message was processed anew'

/** What the user says while the call is pending. */
const sayingOf = (t: Recording): string => String(t.transcript.steps('say')[0]?.detail['text'])

/** A request with all that was said, and an instruction after it. */
const beside = (t: Recording, words = 'Give this conversation a title.'): Recording =>
  t.model({ more: [{ role: 'user', text: words }] })

const invocationOf = (tool: string): Recording =>
  recording().ask(1).invoke().ask(2, toolNames[1]).invoke({ operation: tool })

describeExamples(
  concurrencyScenarios,
  {
    'two-conversations': crossing(2),
    'two-tools': {
      ...crossing(2),
      'rap-oauth/runtime/invocation-faithful': {
        pass: { 'each by its name': invocationOf(toolNames[1]) },
        violation: { 'the first for both': invocationOf(toolNames[0]) },
        inconclusive: {
          'one was not invoked': recording().running().ask(2, toolNames[1]),
          'nothing was asked': recording(),
          'only one was asked for': recording().running(),
        },
      },
    },
    'ten-calls': crossing(10),
    'parallel-calls': {
      'rap-oauth/runtime/surface-auth-url': ofEvery(10, {
        pass: { 'each of them': crowd(10, false) },
        violation: {
          'all but one': crowd(10, false, (t, call) =>
            call === 10 ? t.gaveUp(waits.surfaced, { of: 'oauth' }) : t.shows(),
          ),
        },
      }),
      ...callCases(10, false),
    },
    'busy-conversation': {
      'rap-oauth/runtime/process-group-serially': {
        pass: {
          'the result afterwards': busy((t) => t).given(),
          'the answer was broken off for it': busy((t) => t.given(), 'ECONNRESET'),
          'at once, and the message anew, as its version was outdated': busy((t) =>
            t.given(),
          ).model(),
          'a title in between, with the tools': busy((t) => beside(t)).given(),
          'the same under another instruction': busy((t) =>
            t.model({ system: 'Suggest replies.' }),
          ).given(),
          'a title in between': busy((t) => t.model({ tools: [] })).given(),
          'a title before': recording()
            .running()
            .oauth()
            .shows()
            .say({ asks: false })
            .model({ tools: [] })
            .model()
            .result()
            .window()
            .mark('answer')
            .given(),
        },
        violation: {
          'at once': busy((t) => t.given()).gaveUp(notAnew),
          'at once, and the message anew without the result': busy((t) => t.given())
            .model({
              messages: [{ role: 'user', text: sayingOf(busy((t) => t)) }],
            })
            .gaveUp(notAnew),
          'at once, as an instruction': busy((t) => beside(t, t.last('result'))).gaveUp(notAnew),
        },
        inconclusive: {
          'no invocation': recording().ask(),
          'the model was not busy': recording().running().oauth().result().mark('answer'),
          'the result was lost': busy((t) => t),
          'at once, and it was not waited for what is processed anew': busy((t) => t.given()),
          'the message of the user waited until the result came': recording()
            .running()
            .oauth()
            .say({ asks: false })
            .result()
            .window()
            .mark('answer')
            .given(),
          'the result came too late': recording()
            .running()
            .oauth()
            .say()
            .mark('answer')
            .result()
            .given(),
        },
      },
      'rap-oauth/runtime/deliver-result': delivered,
    },
  },
  options,
)
