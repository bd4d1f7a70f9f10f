import { describeExamples } from '../../../../testing.ts'
import { options, recording, type Cases } from '../testing.ts'
import { noUrlScenarios } from './no-url.ts'

const began = () => recording().begin()
const form = (properties: Record<string, unknown>) =>
  began().elicit({ mode: 'form', requestedSchema: { type: 'object', properties } })

const refused = (id?: null) => recording().beginUnconnected().refusedConnection(id)

const gated: Cases = {
  pass: {
    'the client is refused when it connects': refused().window(),
    'it is refused, without an id': refused(null).window(),
    'the call fails': began().failed().window(),
    'an error of the protocol': began().fails({ code: -32021 }).window(),
    'it ends in words': began().result('Please use a client that opens URLs.').window(),
  },
  violation: {
    'what is no elicitation, in a result': began()
      .input({ inputRequests: { a: { method: 'roots/list' } } })
      .window(),
    'a request': began().elicit().window(),
    'the error': began().required().window(),
    'a result': began().input().window(),
    'and fails afterwards': began().elicit().failed().window(),
    'when the call has ended': began()
      .result('Please authorize, then call again.')
      .stream({ id: 'x', method: 'elicitation/create', params: { mode: 'url' } }, { call: '' })
      .window(),
  },
  inconclusive: {
    'it was not answered': began().gaveUp().window(),
    'nobody watched': began().failed(),
    'it was refused, and nobody watched': refused(),
    'the connection was not answered': recording().beginUnconnected().window(),
    'there was no call': recording().window(),
  },
}

const aForm = form({}).window()
const withForms: Cases = { ...gated, pass: { ...gated.pass, 'a form': aForm } }
const withNone: Cases = { ...gated, violation: { ...gated.violation, 'a form': aForm } }

const other = { connection: 'connection-2' }
const declined = () => began().elicit().answer('decline').failed()
const later: Cases = {
  pass: {
    'the call fails': declined().begin(other).failed().window(),
    'a form': declined()
      .begin(other)
      .elicit({ mode: 'form', requestedSchema: { type: 'object', properties: {} } })
      .window(),
    'who asks by an error': began().required().begin(other).failed().window(),
    'who asks in a result': began()
      .input()
      .retry('decline')
      .failed()
      .begin(other)
      .failed()
      .window(),
    'the client that was asked is asked once more': declined()
      .begin(other)
      .on('call-1')
      .elicit()
      .on('call-2')
      .failed()
      .window(),
  },
  violation: {
    'a request': declined().begin(other).elicit().window(),
    'the error': declined().begin(other).required().window(),
    'a result': declined().begin(other).input().window(),
  },
  inconclusive: {
    'the client before was not asked': began().failed().begin(other).failed().window(),
    'there was no client after it': declined().window(),
    'it was not answered': declined().begin(other).gaveUp().window(),
    'nobody watched': declined().begin(other).failed(),
  },
}

describeExamples(
  noUrlScenarios,
  {
    'no-elicitation': { 'mcp-url-elicitation/server/gate-mode': withNone },
    'empty-elicitation': { 'mcp-url-elicitation/server/gate-mode': withForms },
    'form-only-beside-url-mode': { 'mcp-url-elicitation/server/gate-mode': withForms },
    'form-only-after-url-mode': { 'mcp-url-elicitation/server/gate-mode': later },
    'modern-form-only-after-url-mode': { 'mcp-url-elicitation/server/gate-mode': later },
    'form-only': { 'mcp-url-elicitation/server/gate-mode': withForms },
    'modern-no-elicitation': { 'mcp-url-elicitation/server/gate-mode': withNone },
    'modern-empty-elicitation': { 'mcp-url-elicitation/server/gate-mode': withForms },
    'modern-form-only': { 'mcp-url-elicitation/server/gate-mode': withForms },
  },
  options,
)
