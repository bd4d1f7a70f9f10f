import { describeExamples } from '../../../../testing.ts'
import { recording, options, type Cases } from '../testing.ts'
import { errorRetried } from './required-error-retried.ts'

const args = { arguments: { note: 'a' } }
const refused = () => recording().client().begin().attempt(args, 1).required().prompt().decide()

const inconclusive: Cases['inconclusive'] = {
  'it was not refused': recording().client().begin().attempt(args),
  'it was not made again': refused(),
}

describeExamples(
  [errorRetried],
  {
    'required-error-retried': {
      'mcp-url-elicitation/client/handle-required-error': {
        pass: {
          'the same call': refused().attempt(args, 2),
          'in the words of its user': refused()
            .step('again', {})
            .attempt({ arguments: { note: 'b' } }, 2),
        },
        violation: {
          'without its arguments': refused().attempt({}, 2),
          'with others': refused().attempt({ arguments: { note: 'b' } }, 2),
          'another tool': refused().attempt({ ...args, name: 'list_notes' }, 2),
          'when its user says that they are done': refused()
            .step('again', { by: 'retry' })
            .attempt({}, 2),
        },
        inconclusive,
      },
      'mcp-url-elicitation/client/id-used-once': {
        pass: { 'another id': refused().attempt(args, 2) },
        violation: { 'the same id': refused().attempt(args, 1) },
        inconclusive,
      },
    },
  },
  options,
)
