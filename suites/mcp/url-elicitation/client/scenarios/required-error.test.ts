import { describe, expect, test } from 'vitest'
import { describeExamples } from '../../../../testing.ts'
import { options, promptText, recording, urlOf, type Cases, type Recording } from '../testing.ts'
import {
  completeNever,
  errorCompleteUnknown,
  errorDeclined,
  errorForEver,
  errorPath,
} from './required-error.ts'
import { errorRequiresTwo } from './required-error-two.ts'
import { byError, consent, exactUrl, fullUrl, prefetch, server } from './testing.ts'

const prompts: Cases = {
  pass: { 'the user is asked': byError().prompt() },
  violation: { 'nobody is asked': byError().gaveUp() },
  inconclusive: {
    'no error was sent': recording().client().begin().attempt(),
    'the run did not wait for it': byError(),
  },
}

const refused = () => byError().prompt().mark('refused-for-ever').decide()
const times = (count: number, from: Recording) => {
  for (let index = 0; index < count; index += 1) from.attempt()
  return from
}

const bounded: Cases = {
  pass: {
    'it is not tried again': refused().window(),
    'it is tried a few times': times(10, refused()).window(),
  },
  violation: { 'again and again': times(11, refused()).window() },
  inconclusive: {
    'nobody watched': refused(),
    'it did not come that far': byError().prompt().window(),
  },
}

const retries: Cases = {
  pass: {
    'by itself': byError().prompt().decide().attempt(),
    'when the user asks for it': byError().prompt().decide().step('again').attempt(),
  },
  violation: { 'not even then': byError().prompt().decide().step('again').gaveUp() },
  inconclusive: {
    'the user did not agree': byError().prompt(),
    'nobody asked for it': byError().prompt().decide(),
    'the run did not wait for it': byError().prompt().decide().step('again'),
  },
}

const requiredTwo = () => recording().client().begin().attempt().required('first', 'second')
const about = (page: string) => promptText(urlOf(page, page))
const oneOfTwo = () => requiredTwo().prompt(about('first')).decide()

const presents: Cases = {
  pass: {
    'one after the other': oneOfTwo().prompt(about('second')).decide().attempt(),
    'by one question': requiredTwo()
      .prompt(`${about('first')}\n${about('second')}`)
      .decide()
      .attempt(),
    'by questions that show no URL': requiredTwo().prompt('Open it?').decide().prompt('Open it?'),
    'when the user asks for the call again': oneOfTwo()
      .step('again')
      .attempt()
      .required('second')
      .prompt(about('second')),
  },
  violation: {
    'the call is made again before that': oneOfTwo().attempt().required('second'),
    'the other one is shown too late': oneOfTwo().attempt().prompt(about('second')),
    'the other one is never shown': oneOfTwo().step('again').gaveUp(),
  },
  inconclusive: {
    'one only': byError().prompt().decide(),
    'nobody agreed': requiredTwo().prompt(about('first')),
    'the run did not wait for it': oneOfTwo(),
  },
}

/** A call that waits for its completion while others are completed; `second` goes on with another one. */
const others = (from: Recording) => from.complete('elicitation-of-nobody')
const next = (from: Recording) => from.begin().attempt().required().prompt().decide()
const waits = (from: Recording) => others(from).window().complete().attempt()
const hasty = (from: Recording) => others(from).attempt().window().complete()
const elsewhere = (from: Recording) => from.completeElsewhere().attempt().window().complete()
const byClock = (from: Recording) => others(from.attempt()).window().complete()
const first = () => byError().prompt().decide()

const ignores: Cases = {
  pass: {
    'both wait for their own': waits(next(waits(first()))),
    'both are made again at once': byClock(next(byClock(first()))),
    'the first by chance, the second by the clock': byClock(next(hasty(first()))),
  },
  violation: {
    'both are made again': hasty(next(hasty(first()))),
    'both, when another server says that they are complete': elsewhere(next(elsewhere(first()))),
  },
  inconclusive: {
    'nothing was completed': next(first().window()).window(),
    'nobody watched': others(next(others(first()))),
    'one call only': waits(first()),
    'nobody agreed': others(byError().prompt()).window(),
  },
}

const openedOne = () => oneOfTwo().opened(urlOf('first', 'first'))
const second = urlOf('second', 'second')
const opensBoth: Cases = {
  pass: {
    'each after its prompt': openedOne().prompt(about('second')).decide().opened(second),
    'the second one in a later round': openedOne()
      .attempt()
      .required('second')
      .prompt(about('second'))
      .decide()
      .opened(second),
    'in prompts without a URL': requiredTwo()
      .prompt('Go there?')
      .decide()
      .opened(urlOf('first', 'first'))
      .attempt()
      .required('second')
      .prompt('And there?')
      .decide()
      .opened(second),
    'after one prompt for both': requiredTwo()
      .prompt(`${about('first')} ${about('second')}`)
      .decide()
      .opened(urlOf('first', 'first'))
      .opened(second),
  },
  violation: {
    'the second one with the first': openedOne().opened(second),
    'the second one before its prompt': openedOne().opened(second).prompt(about('second')).decide(),
    'the second one although it was declined': openedOne()
      .prompt(about('second'))
      .decide('decline')
      .opened(second),
    'by a client that says it opens nothing': [openedOne().opened(second), { opens: false }],
  },
  inconclusive: {
    'one is required': byError().prompt().decide().opened(),
    'one was opened': openedOne(),
    'nothing was asked': recording().client(),
  },
  'not-applicable': { 'a client that opens nothing': [oneOfTwo(), { opens: false }] },
}

describeExamples(
  [errorPath, errorDeclined, errorForEver, errorRequiresTwo, completeNever, errorCompleteUnknown],
  {
    'required-error-two': {
      'mcp-url-elicitation/client/handle-required-error': presents,
      'mcp-url-elicitation/client/consent-before-opening': opensBoth,
    },
    'required-error': {
      'mcp-url-elicitation/client/handle-required-error': prompts,
      'mcp-url-elicitation/client/show-full-url': fullUrl(byError),
      'mcp-url-elicitation/client/show-server': server(byError),
      'mcp-url-elicitation/client/consent-before-opening': consent(byError),
      'mcp-url-elicitation/client/no-prefetch': prefetch(byError),
      'mcp-url-elicitation/client/open-exact-url': exactUrl(byError),
    },
    'required-error-declined': {
      'mcp-url-elicitation/client/consent-before-opening': consent(byError),
      'mcp-url-elicitation/client/handle-required-error': bounded,
    },
    'required-error-for-ever': { 'mcp-url-elicitation/client/handle-required-error': bounded },
    'required-error-complete-unknown': {
      'mcp-url-elicitation/client/ignore-unknown-complete': ignores,
    },
    'complete-never': { 'mcp-url-elicitation/client/manual-retry': retries },
  },
  options,
)

describe('what a client need not offer', () => {
  const seen = (each: Recording) => errorPath.needs?.seen(new Map([['x', each.transcript]]))

  test('is a prompt for the error', () => {
    expect(seen(byError().prompt())).toMatchObject({ action: 'prompt' })
    expect(seen(byError())).toBeUndefined()
    expect(seen(recording().asked().prompt())).toBeUndefined()
  })
})
