import { describeChecks, recording, type Ending, type Recording } from '../testing.ts'
import { cancellationScenarios } from './cancellation.ts'

const asked = (ending: Ending = 200) => recording().asked().notify(ending)
const back = (t: Recording) => t.callback({ code: 'c', state: 's' })
const goesOn = (t: Recording) => back(t).upstream('/token').grant().access().result()

for (const scenario of cancellationScenarios)
  describeChecks(scenario, {
    'rap-oauth/tool/cancel-in-thread': {
      pass: {
        'it goes on': goesOn(asked()),
        'it has no such endpoint, and goes on': goesOn(asked(404)),
        'it does not answer, and goes on': goesOn(asked('late')),
      },
      violation: {
        'it ends at once': asked().result('Error: cancelled'),
        'it ends at once, and the user comes back': back(asked().result('Error: cancelled')),
        'its link is dead': back(asked()).gaveUp(),
        'its link is dead, where others are not': [
          back(asked()).gaveUp(),
          {},
          goesOn(recording().asked()),
        ],
        'its user is told so afterwards': back(asked()).result('Error: unknown'),
      },
      inconclusive: {
        'nobody was notified': back(recording().asked()).result('Error: no'),
        'nobody came back': asked().gaveUp(),
        'the code is presented, and refused': back(asked())
          .upstream('/token', 400)
          .refused()
          .result('Error: no'),
        'the code is presented, and the provider is slow': back(asked())
          .upstream('/token', 'late')
          .result('Error: no'),
        'it may have timed out': asked().after(5000).result('Error: timed out'),
        'nobody waited': back(asked()),
        'no call ends well': [
          back(asked()).result('Error: unknown'),
          {},
          back(recording().asked()).result('Error: unknown'),
        ],
        'it may not have been notified': asked('refused').result('Error: gone'),
      },
    },
  })
