import { describeExamples } from '../../../../testing.ts'
import { options, recording, type Cases, type Recording } from '../testing.ts'
import { modernTwoCalls } from './modern-two-calls.ts'

const argumentsOf = (call: string) => ({ arguments: { note: call } })

/** Two calls, each asked for input with a state of its own. */
const both = () =>
  ['call-1', 'call-2'].reduce<Recording>(
    (t, call) =>
      t
        .begin()
        .attempt(argumentsOf(call))
        .input({ requestState: `of ${call}` }),
    recording().client({ url: {} }, { modern: true }),
  )
const retry = (t: Recording, call: string, requestState: unknown, args = call): Recording =>
  t.on(call).retry({ ...argumentsOf(args), requestState })
const first = () => retry(both(), 'call-1', 'of call-1')

const inconclusive = {
  'nothing was asked': recording().client().begin().attempt(),
  'neither is made again': both(),
  'the second is not made again': first(),
  'the first is not made again': retry(both(), 'call-2', 'of call-2'),
}

const echoes: Cases = {
  pass: {
    'each its own': retry(first(), 'call-2', 'of call-2'),
    'the second one first': retry(retry(both(), 'call-2', 'of call-2'), 'call-1', 'of call-1'),
  },
  violation: {
    'the latest one with both': retry(retry(both(), 'call-1', 'of call-2'), 'call-2', 'of call-2'),
    'the first one with both': retry(first(), 'call-2', 'of call-1'),
    'none with the second': retry(first(), 'call-2', undefined),
    'that of the second with the first': retry(both(), 'call-1', 'of call-2'),
  },
  inconclusive,
}

const repeats: Cases = {
  pass: { 'each with its own arguments': retry(first(), 'call-2', 'of call-2') },
  violation: {
    'with those of the other one': retry(first(), 'call-2', 'of call-2', 'call-1'),
  },
  inconclusive,
}

describeExamples(
  [modernTwoCalls],
  {
    'modern-two-calls': {
      'mcp-url-elicitation/client/echo-state': echoes,
      'mcp-url-elicitation/client/repeat-request': repeats,
    },
  },
  options,
)
