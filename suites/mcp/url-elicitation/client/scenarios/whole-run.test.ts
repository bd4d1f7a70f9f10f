import { describeExamples } from '../../../../testing.ts'
import { merged, options, recording, type Cases } from '../testing.ts'
import { wholeRun } from './whole-run.ts'

const first = () => recording('accept').accepted()

const declares: Cases = {
  pass: { 'the same everywhere': merged(first(), recording('decline', 1000).asked()) },
  violation: {
    'without any mode in another scenario': merged(
      first(),
      recording('decline', 1000).client({ links: {} }),
    ),
  },
  inconclusive: { 'nobody came': recording() },
}

const consent: Cases = {
  pass: { 'in no call': merged(first(), recording('decline', 1000).asked().prompt()) },
  violation: {
    'in another scenario': merged(first(), recording('decline', 1000).asked().prompt().opened()),
    'in another call of one': first().begin().attempt().elicit().opened(),
  },
  inconclusive: { 'nobody agreed': recording('decline').asked().prompt().decide('decline') },
}

const prefetch: Cases = {
  pass: { 'in no call': merged(first(), recording('decline', 1000).asked().prompt()) },
  violation: {
    'in another scenario': merged(first(), recording('decline', 1000).asked().visited().prompt()),
    'beside the browser': merged(first().visited(), recording('decline', 1000).asked().prompt()),
  },
  inconclusive: { 'nobody agreed': recording('decline').asked().prompt() },
}

const content: Cases = {
  pass: { none: merged(first(), recording('modern', 1000).accepted()) },
  violation: {
    'in another scenario': merged(
      first(),
      recording('modern', 1000).agreed().answer({ action: 'accept', content: {} }),
    ),
  },
  inconclusive: { 'nobody accepted': recording('decline').asked() },
}

describeExamples(
  [wholeRun],
  {
    'whole-run': {
      'mcp-url-elicitation/client/declare-mode': declares,
      'mcp-url-elicitation/client/consent-before-opening': consent,
      'mcp-url-elicitation/client/no-prefetch': prefetch,
      'mcp-url-elicitation/client/accept-without-content': content,
    },
  },
  options,
)
