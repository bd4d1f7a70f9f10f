import { describeExamples } from '../../../../testing.ts'
import { options, recording } from '../testing.ts'
import { accessTokenScenarios } from './access-tokens.ts'

const headers = { authorization: 'Bearer [secret access_token-9]' }
const own = (session?: string) =>
  recording()
    .connect('connection-1', session === undefined ? {} : { 'mcp-session-id': session })
    .begin({ headers })
    .elicit()
    .answer('accept')
    .authorized()
    .access()
    .result()
    .begin({ headers })
    .result()
const other = { user: 'user-2', connection: 'connection-2', headers }

describeExamples(
  accessTokenScenarios,
  {
    'without-token': {
      'mcp-url-elicitation/server/not-for-itself': {
        pass: {
          'the handshake is refused': recording().begin({}, 401),
          'the call is refused': recording().connect().begin({}, 401),
        },
        violation: {
          'the handshake is forbidden': recording().begin({}, 403),
          'the call is served': recording().connect().begin().result(),
          'the call fails in words': recording().connect().begin().failed('log in'),
          'the user is asked': recording().connect().begin().elicit(),
          'the user is asked by an error': recording().connect().begin().required(),
        },
        inconclusive: {
          'nothing was sent': recording(),
          'no answer came': recording().begin({}, 'open'),
          'the server is in trouble': recording().begin({}, 503),
          'the refusal is that of somebody with a token': recording().begin({ headers }, 401),
        },
      },
    },
    'foreign-session': {
      'mcp-url-elicitation/server/not-by-session-alone': {
        pass: {
          'the session is refused': own('s').begin(other, 404),
          'the other user is asked': own('s').begin(other).elicit(),
          'there are no sessions': own(),
        },
        violation: {
          'the other user is served': own('s')
            .begin(other)
            .on('call-1')
            .access()
            .on('call-3')
            .result(),
        },
        inconclusive: {
          'nobody has authorized': recording().connect().begin().failed(),
          'nobody came': own('s'),
          'the other call was not answered': own('s').begin(other, 'refused'),
        },
      },
    },
  },
  options,
)
