import { describeExamples } from '../../../../testing.ts'
import { options, recording, type Cases } from '../testing.ts'
import {
  answeredByAnother,
  answeredByAnotherClient,
  answeredInSession,
} from './answered-by-another.ts'

const asked = () => recording().begin().elicit()
const declined = () => asked().window().refusedBy('connection-2')

const stray = { id: 'x', method: 'elicitation/create', params: { mode: 'url' } }
const elsewhere = { connection: 'connection-2', call: '' }

const cases: Cases = {
  pass: {
    'it is served when its own client has answered': declined()
      .window()
      .answer('accept')
      .authorized()
      .access()
      .result(),
    'it is not over': declined().window().answer('accept'),
    'everybody is asked': recording()
      .begin()
      .stream(stray, elsewhere)
      .elicit()
      .window()
      .refusedBy('connection-2')
      .window()
      .answer('accept'),
    'it asks by an error, which nobody answers': recording().begin().required().window(),
    'it had not waited, and is served when it is made again': asked()
      .result('Sign in first.')
      .window()
      .refusedBy('connection-2')
      .window()
      .answer('accept')
      .authorized()
      .attempt()
      .access()
      .result(),
    'it fails later': declined().window().answer('accept').failed(),
  },
  violation: {
    'it ends': declined().failed().window(),
    'somebody else is asked': recording().begin().stream(stray, elsewhere).gaveUp(),
    'it ends, where there are sessions alone': [
      recording()
        .begin({ headers: { 'mcp-session-id': 's' } })
        .elicit()
        .window()
        .refusedBy('connection-2')
        .failed(),
      { authorization: false },
    ],
    'it ends, and is served when it is made again': declined()
      .failed()
      .window()
      .answer('accept')
      .authorized()
      .attempt()
      .access()
      .result(),
    'it ends in words': declined().result('Declined.').window(),
  },
  inconclusive: {
    'somebody else was asked before': recording()
      .connect()
      .stream(stray, elsewhere)
      .begin()
      .gaveUp(),
    'nobody can be told apart': [declined().failed().window(), { authorization: false }],
    'it asks by an error, and nobody watched': recording().begin().required(),
    'nobody else answered': asked().window().answer('accept'),
    'its own client declined': asked().answer('decline').failed(),
    'it had ended before': asked()
      .result('Call again.')
      .window()
      .refusedBy('connection-2')
      .window(),
    'its time was over': [declined().after(5000).failed(), { pendingTimeoutMs: 5000 }],
    'nobody watched': declined().answer('accept'),
    'its own client was not heard': declined().window(),
  },
}

const inSession = () =>
  recording()
    .begin({ headers: { 'mcp-session-id': 's' } })
    .elicit()
    .window()

const ofUser: Cases = {
  pass: {
    'it is not over': inSession().refusedBy('connection-2').window().answer('accept'),
    'there are no sessions': declined().failed().window(),
  },
  violation: { 'it ends': inSession().refusedBy('connection-2').failed().window() },
  inconclusive: {
    'nobody else answered': inSession().answer('accept'),
    'there was no call': recording().window(),
  },
}

const ofSession: Cases = {
  pass: {
    'it is refused': inSession().refusedBy('connection-2', 403),
    'the session is over then': inSession().refusedBy('connection-2', 404).failed(),
    'it counts for nothing': inSession().refusedBy('connection-2').window().answer('accept'),
    'there are no sessions': asked().window().answer('accept'),
    'it asks by an error, which nobody answers': recording()
      .begin({ headers: { 'mcp-session-id': 's' } })
      .required()
      .window(),
  },
  violation: { 'it ends': inSession().refusedBy('connection-2').failed().window() },
  inconclusive: {
    'nobody else answered': inSession().answer('accept'),
    'it had ended before': inSession()
      .result('Call again.')
      .window()
      .refusedBy('connection-2', 404)
      .window(),
    'the server is in trouble': inSession().refusedBy('connection-2', 503).window(),
    'there was no call': recording().window(),
  },
}

describeExamples(
  [answeredByAnother, answeredByAnotherClient, answeredInSession],
  {
    'answered-by-another': { 'mcp-url-elicitation/server/bind-requests': cases },
    'answered-by-another-in-the-session': {
      'mcp-url-elicitation/server/bind-requests': ofSession,
    },
    'answered-by-another-client': { 'mcp-url-elicitation/server/bind-requests': ofUser },
  },
  options,
)
