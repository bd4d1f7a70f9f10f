import { describeExamples } from '../../../../testing.ts'
import { options, recording, type Cases } from '../testing.ts'
import { bothAsk } from './both-servers-ask.ts'

/** The second server asks while the question of the first is open. */
const asked = () => recording().asked().prompt().begin().attempt().elicit()
const agreed = () => asked().on('call-1').decide('accept', 1).opened()

const inconclusive: Cases['inconclusive'] = {
  'nobody watched': agreed(),
  'nobody agreed to the first': asked().window(),
  'the second has not asked': recording().accepted().window(),
}

describeExamples(
  [bothAsk],
  {
    'both-servers-ask': {
      'mcp-url-elicitation/client/consent-before-opening': {
        pass: {
          'the first is opened alone': agreed().window(),
          'its user is asked about the other one afterwards': agreed()
            .on('call-2')
            .prompt()
            .window(),
        },
        violation: {
          'both are opened': agreed().on('call-2').opened(),
          'the other one is': asked().on('call-1').decide('accept', 1).on('call-2').opened(),
        },
        inconclusive,
        'not-applicable': {
          'a client that opens nothing': [agreed().window(), { opens: false }],
        },
      },
      'mcp-url-elicitation/client/accept-after-consent': {
        pass: {
          'the other one is not answered': agreed().window(),
          'the other one is refused': agreed().on('call-2').refuse(-32603).window(),
        },
        violation: { 'the other one is accepted': agreed().on('call-2').answer() },
        inconclusive,
      },
    },
  },
  options,
)
