import { describe, expect, test } from 'vitest'
import { describeExamples } from '../../../../testing.ts'
import { options, recording, type Cases } from '../testing.ts'
import { byRequest, consent, prefetch } from './testing.ts'
import {
  completeEarly,
  completeTwice,
  completeUnknown,
  inputEnds,
  thinkingUser,
} from './unanswered.ts'

const pending = () => recording().asked().prompt()

const accepts: Cases = {
  pass: {
    'nothing was answered': pending().window(),
    'it was dismissed': pending().complete().answer({ action: 'cancel' }).window(),
  },
  violation: {
    'it accepted': pending().answer(),
    'it accepted when it was complete': pending().complete().answer().window(),
  },
  inconclusive: { 'nobody watched': pending(), 'nothing was asked': recording().client() },
}

const unknown = () => pending().complete('unknown').window()

const ignoresUnknown: Cases = {
  pass: { 'the answer of the user is sent': unknown().decide().answer() },
  violation: {
    'accepted before the user': pending().complete('unknown').answer().decide(),
    'accepted when another server says that it is complete': pending()
      .completeElsewhere()
      .answer()
      .decide(),
    'dismissed before the user': unknown().answer({ action: 'cancel' }).decide(),
    'another answer than that of the user': unknown().decide().answer({ action: 'cancel' }),
    'an error': unknown().decide().refuse(-32603),
    'no answer any more': unknown().decide().gaveUp(),
    'it is the end of the client': pending().complete('unknown').gone(),
  },
  inconclusive: {
    'nothing was completed': pending().decide().answer(),
    'the user said nothing': unknown(),
    'the run did not wait for the answer': unknown().decide(),
  },
}

const late = () => recording().accepted().mark('completed-twice').complete()

const ignoresKnown: Cases = {
  pass: { 'the next call gets through': late().window().begin().attempt() },
  violation: {
    'it is opened again': late().opened().window(),
    'the call is made again': late().attempt().window(),
    'no further call gets through': late().window().begin().gaveUp(),
    'it is the end of the client': late().gone(),
  },
  inconclusive: {
    'it was not completed twice': recording().accepted().window().begin().attempt(),
    'nobody watched': late().begin().attempt(),
    'no further call was made': late().window(),
    'a further call was not waited for': late().window().begin(),
  },
}

const whilePending = {
  'mcp-url-elicitation/client/accept-after-consent': accepts,
  'mcp-url-elicitation/client/consent-before-opening': consent(byRequest),
}

describeExamples(
  [thinkingUser, inputEnds, completeEarly, completeUnknown, completeTwice],
  {
    'thinking-user': {
      ...whilePending,
      'mcp-url-elicitation/client/no-prefetch': prefetch(byRequest),
    },
    'input-ends': whilePending,
    'complete-early': whilePending,
    'complete-unknown': { 'mcp-url-elicitation/client/ignore-unknown-complete': ignoresUnknown },
    'complete-twice': { 'mcp-url-elicitation/client/ignore-unknown-complete': ignoresKnown },
  },
  options,
)

describe('what a client need not offer', () => {
  const seen = (method: string) =>
    completeTwice.needs?.seen(
      new Map([
        [
          'x',
          recording().event({
            type: 'request',
            channel: 'mcp',
            exchange: 'x1',
            method,
            url: 'http://127.0.0.1/mcp',
            headers: {},
          }).transcript,
        ],
      ]),
    )

  test('is a stream beside its calls', () => {
    expect(['GET', 'STDIN', 'POST'].map((method) => seen(method) !== undefined)).toEqual([
      true,
      true,
      false,
    ])
  })
})
