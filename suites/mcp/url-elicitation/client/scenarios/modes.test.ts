import { expect, test } from 'vitest'
import { describeExamples } from '../../../../testing.ts'
import { inputKey } from '../asking.ts'
import { undeclaredBy } from '../capabilities.ts'
import { options, recording, urlOf, type Cases } from '../testing.ts'
import { modeLeftOutScenarios, undeclaredMode } from './modes.ts'

const form = () => recording().asked({ mode: 'form', url: undefined })

/** Asked before there were modes. */
const older = () =>
  recording()
    .client()
    .stream({ id: 'i', result: { protocolVersion: '2025-06-18' } })
    .begin()
    .attempt()
    .elicit({ mode: 'form', url: undefined })

const refuses: Cases = {
  pass: {
    'with -32602': form().refuse(),
    'with another error, before there were modes': older().refuse(-32601),
  },
  violation: {
    'with another error': form().refuse(-32601),
    declined: form().answer({ action: 'decline' }),
    accepted: form().answer({ action: 'accept', content: {} }),
    'no answer': form().gaveUp(),
    'it is the end of the client': form().gone(),
  },
  inconclusive: {
    'nothing was asked': recording().client().begin().attempt(),
    'the run did not wait for the answer': form(),
    'it is taken for what it was before there were modes': older().answer({ action: 'decline' }),
    'a client that does not know elicitation': recording()
      .client(null)
      .begin()
      .attempt()
      .elicit({ mode: 'form', url: undefined })
      .refuse(-32601),
  },
}

const nameless = () => recording().asked({ mode: undefined })

const takes: Cases = {
  pass: {
    'refused, as forms are': nameless().refuse().window(),
    'a form is shown, and waits': nameless().window().step('shown', { text: 'Nickname: ' }),
    'a form is shown': nameless().prompt('Nickname:').decide().window(),
  },
  violation: {
    'it is opened': nameless().prompt().decide().opened(urlOf()).window(),
    'it is opened at once': nameless().opened(),
  },
  inconclusive: {
    'nothing was asked': recording().client().begin().attempt(),
    'nobody watched': nameless().refuse(),
    'nothing came of it': nameless().window().step('shown', { text: 'Connecting ...' }),
  },
  'not-applicable': { 'a client that opens nothing': [nameless(), { opens: false }] },
}

const inResult = () => recording().client().begin().attempt().input()

const takesInput: Cases = {
  pass: {
    'refused by the retry': inResult()
      .retry({}, { [inputKey]: { action: 'decline' } })
      .window(),
    'the call is not made again': inResult().window(),
    'a form is shown': inResult().prompt('Nickname:').decide().window(),
  },
  violation: {
    'it is opened': inResult().prompt().decide().opened().window(),
    'it is opened at once': inResult().opened(),
  },
  inconclusive: {
    'nothing was asked': recording().client().begin().attempt(),
    'nobody watched': inResult().retry(),
  },
  'not-applicable': { 'a client that opens nothing': [inResult(), { opens: false }] },
}

describeExamples(
  [undeclaredMode, ...modeLeftOutScenarios],
  {
    'undeclared-mode': { 'mcp-url-elicitation/client/refuse-undeclared': refuses },
    'mode-left-out': { 'mcp-url-elicitation/client/form-without-mode': takes },
    'modern-mode-left-out': { 'mcp-url-elicitation/client/form-without-mode': takesInput },
  },
  options,
)

test.each([
  ['URL mode alone', { url: {} }, 'form'],
  ['both', { form: {}, url: {} }, 'hologram'],
  ['forms', { form: {} }, 'hologram'],
  ['forms, by an empty declaration', {}, 'hologram'],
])('a client that declares %s is asked in a mode that it has not', (_, declared, mode) => {
  expect(undeclaredBy(declared)).toBe(mode)
})
