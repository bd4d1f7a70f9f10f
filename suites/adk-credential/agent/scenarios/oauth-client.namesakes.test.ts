import { describeExamples } from '../../../testing.ts'
import { items, options, recording, said } from '../testing.ts'
import { namesakeScenarios } from './oauth-client.ts'

const namesakes = {
  'oauth-client/token-bound-to-user': {
    pass: { 'they are asked': recording().served().asked('User-1') },
    violation: {
      'they are served': recording()
        .served()
        .begin('User-1')
        .on('call-1')
        .access()
        .on('call-2')
        .events([said.call(), said.result(items())]),
    },
    inconclusive: {
      'nobody was served': recording().asked().asked('User-1'),
      'it was not answered': recording().served().begin('User-1'),
    },
  },
}

describeExamples(
  namesakeScenarios,
  Object.fromEntries(namesakeScenarios.map(({ id }) => [id, namesakes])),
  options,
)
