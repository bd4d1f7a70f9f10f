import { describeExamples } from '../../../../testing.ts'
import { options, recording, type Cases } from '../testing.ts'
import { noUrlScenarios } from './no-url.ts'

const began = () => recording().begin()
const form = (properties: Record<string, unknown>) =>
  began().elicit({ mode: 'form', requestedSchema: { type: 'object', properties } })

const gated: Cases = {
  pass: {
    'the call fails': began().failed().window(),
    'an error of the protocol': began().fails({ code: -32021 }).window(),
    'it ends in words': began().result('Please use a client that opens URLs.').window(),
    'a form': form({}).window(),
  },
  violation: {
    'a request': began().elicit().window(),
    'the error': began().required().window(),
    'a result': began().input().window(),
    'and fails afterwards': began().elicit().failed().window(),
  },
  inconclusive: {
    'it was not answered': began().gaveUp().window(),
    'nobody watched': began().failed(),
    'there was no call': recording().window(),
  },
}

describeExamples(
  noUrlScenarios,
  {
    'no-elicitation': { 'mcp-url-elicitation/server/gate-mode': gated },
    'empty-elicitation': { 'mcp-url-elicitation/server/gate-mode': gated },
    'form-only': { 'mcp-url-elicitation/server/gate-mode': gated },
    'modern-no-elicitation': { 'mcp-url-elicitation/server/gate-mode': gated },
    'modern-empty-elicitation': { 'mcp-url-elicitation/server/gate-mode': gated },
    'modern-form-only': { 'mcp-url-elicitation/server/gate-mode': gated },
  },
  options,
)
