import { describeExamples } from '../../../testing.ts'
import { options, recording } from '../testing.ts'
import { flowOfAnotherUser } from './flow-of-another-user.ts'

const forged = () => recording().asked().mark('forged')

describeExamples(
  [flowOfAnotherUser],
  {
    'flow-of-another-user': {
      'adk-credential/agent/flow-bound-to-user': {
        pass: {
          'it is refused': forged().consent(400).mark('genuine'),
          'the genuine one follows': forged().consent(400).mark('genuine').consent().grant(),
        },
        violation: {
          'its code is redeemed': forged().grant().consent().mark('genuine'),
          'it is redeemed, and then refused': forged().grant().consent(403).mark('genuine'),
        },
        inconclusive: {
          'it was not sent': forged().mark('genuine'),
          'it came before': recording().asked().consent().mark('forged').mark('genuine'),
        },
      },
    },
  },
  options,
)
