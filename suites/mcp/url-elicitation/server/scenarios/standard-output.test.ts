import { describeExamples } from '../../../../testing.ts'
import { options, recording } from '../testing.ts'
import { standardOutput } from './standard-output.ts'

const answer = '{"jsonrpc":"2.0","id":1,"result":{}}'
const written = (...lines: readonly string[]) =>
  lines.reduce((all, each) => all.written(each), recording().begin())

describeExamples(
  [standardOutput],
  {
    'standard-output': {
      'mcp-url-elicitation/server/stdout-only-messages': {
        pass: {
          'an answer': written(answer),
          'a notification and a batch': written('{"method":"m"}', `[${answer}]`),
        },
        violation: {
          'a banner': written('items-server is ready', answer),
          'a log in JSON': written(answer, '{"level":30,"msg":"ready"}'),
          'a number': written('7'),
        },
        inconclusive: {
          'nothing was written': recording().begin(),
          'it came over HTTP': recording().begin().result(),
        },
      },
    },
  },
  options,
)
