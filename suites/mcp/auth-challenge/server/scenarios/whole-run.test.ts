import { describeExamples } from '../../../../testing.ts'
import { options, recording, sighting } from '../testing.ts'
import { wholeRun } from './whole-run.ts'

const complete = () => recording().complete()

describeExamples(
  [wholeRun],
  {
    'whole-run': {
      'mcp-auth-challenge/server/no-secrets-in-output': {
        pass: {
          'nothing came back': complete(),
          'a line of a log': complete().output('called'),
          'a secret that is not of the flow': complete().output('x', sighting('vendor_secret')),
        },
        violation: {
          'a token in an answer': recording()
            .followed()
            .granted()
            .call()
            .result({ content: [] }, sighting('access_token')),
          'a token in a log': complete().output('x', sighting('access_token')),
          'a code in a log': complete().output('x', sighting('authorization_code')),
          'the secret of the server': complete().output('x', sighting('client_secret')),
        },
        inconclusive: {
          'no token was issued': recording().followed(),
          'the server answered nothing': recording().granted(),
          'something cannot be read': complete().output('x', sighting('unread')),
          'the declared log is not there': [complete(), { logs: ['server.log'] }],
        },
      },
    },
  },
  options,
)
