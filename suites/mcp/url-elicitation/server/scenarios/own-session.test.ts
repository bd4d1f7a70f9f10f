import { describeExamples } from '../../../../testing.ts'
import { options, recording, type Recording } from '../testing.ts'
import { ownSessionScenarios } from './access-tokens.ts'

const headers = { authorization: 'Bearer [secret access_token-9]' }
const first = () =>
  recording().connect().begin({ headers }).elicit().answer('accept').authorized().access().result()
const inSession = () =>
  recording().connect('connection-1', { 'mcp-session-id': 's' }).begin({ headers }).elicit()
const next = { connection: 'connection-2' }
const control = recording('connect-and-complete').served()
const by = (t: Recording) => [t, {}, control] as const

describeExamples(
  ownSessionScenarios,
  {
    'session-without-token': {
      'mcp-url-elicitation/server/not-for-itself': {
        pass: {
          'it is refused': first().begin(next, 401),
          'the session is none without a token': first().begin(next, 404),
          'there are no sessions, and no handshake was made': first().begin(next, 400),
          'its user was only asked with a token': recording()
            .connect()
            .begin({ headers })
            .elicit()
            .begin(next, 401),
        },
        violation: {
          'it is served': first().begin(next).on('call-1').access().on('call-2').result(),
          'its user is asked': first().begin(next).elicit(),
          'it is forbidden': first().begin(next, 403),
          'it fails in words': first().begin(next).failed('log in'),
        },
        inconclusive: {
          'nobody went on': first(),
          'nobody was served or asked with a token': recording()
            .connect()
            .begin({ headers })
            .failed()
            .begin(next, 401),
          'it was not answered': first().begin(next, 'open'),
          'the server is in trouble': first().begin(next, 503),
        },
      },
    },
    'session-stream-without-token': {
      'mcp-url-elicitation/server/not-for-itself': {
        pass: {
          'it is refused': inSession().listens(401),
          'the session is none without a token': inSession().listens(404),
          'there are no streams': inSession().listens(405),
          'there are no sessions': recording().connect().begin({ headers }).elicit(),
        },
        violation: {
          'there is a stream': inSession().listens(200),
          'there is one already': inSession().listens(409),
        },
        inconclusive: {
          'nobody asked for it': inSession().listens(200, headers),
          'it was not answered': inSession().listens('open'),
          'the server is in trouble': inSession().listens(503),
        },
      },
    },
    'session-token-altered': {
      'mcp-url-elicitation/server/validate-tokens': {
        pass: {
          'it is refused': by(first().begin({ ...next, headers }, 401)),
          'the session is over': by(first().begin({ ...next, headers }, 404)),
          'it fails in words': by(
            first()
              .begin({ ...next, headers })
              .failed('log in'),
          ),
        },
        violation: {
          'it is served': by(
            first()
              .begin({ ...next, headers })
              .result(),
          ),
          'its user is asked': by(
            first()
              .begin({ ...next, headers })
              .required(),
          ),
        },
        inconclusive: {
          'there is no control': first().begin({ ...next, headers }, 401),
          'nobody went on': by(first()),
          'nobody was served or asked with the right one': by(
            recording()
              .connect()
              .begin({ headers })
              .failed()
              .begin({ ...next, headers }, 401),
          ),
          'it was not answered': by(first().begin({ ...next, headers }, 'open')),
        },
      },
    },
  },
  options,
)
