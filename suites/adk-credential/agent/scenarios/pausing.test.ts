import { describeExamples } from '../../../testing.ts'
import { items, options, recording, said } from '../testing.ts'
import { pausingScenarios } from './pausing.ts'

const talking = () =>
  recording()
    .asked()
    .send([{ text: 'Are you there?' }])
const called = () => recording().begin().model([], 'list_items')

describeExamples(
  pausingScenarios,
  {
    paused: {
      'adk-credential/agent/invocation-paused': {
        pass: {
          'no other request': recording().asked().window(),
          'a title is asked for, without any tool': recording()
            .asked()
            .step('model-asked', { messages: [], tools: [] })
            .window(),
          'a request before the call': recording()
            .begin()
            .model()
            .model([], 'list_items')
            .events([said.call(), said.request()])
            .window(),
          'one after the next message': recording()
            .asked()
            .window()
            .send([{ text: 'Hello?' }])
            .model(),
        },
        violation: {
          'asked again': called().model(['pending']).events([said.call(), said.request()]).window(),
          'asked again later': recording().asked().model().window(),
        },
        inconclusive: {
          'no request': recording().begin().events([said.text()]).window(),
          'nobody watched': recording().asked(),
        },
      },
    },
    'talk-while-pending': {
      'adk-credential/agent/conversation-continues': {
        pass: {
          events: talking().events([said.text()]),
          'no events': talking().events([]),
          'and the call completes': talking()
            .events([])
            .callback()
            .back([said.result(items())]),
          'and it is asked for anew': talking()
            .events([])
            .callback()
            .back([said.request('r-2')]),
        },
        violation: {
          'it is forgotten': talking().events([]).callback().back(),
          'HTTP 500': talking().answered(500),
          'no answer': talking().failed(),
          'a stream that ends in an error': talking().answered(
            200,
            `data: ${JSON.stringify(said.text())}\n\ndata: {"error": {"code": 500}}\n\n`,
          ),
        },
        inconclusive: {
          'nothing was said': recording().asked(),
          'not answered yet': talking(),
          'no request': recording()
            .begin()
            .events([])
            .send([{ text: 'Hi' }])
            .answered(500),
        },
      },
    },
    'credential-in-arguments': {
      'adk-credential/agent/credential-not-from-arguments': {
        pass: {
          'it asks': recording().asked(),
          'and the token of the user is used': recording()
            .asked()
            .callback()
            .grant()
            .access()
            .back([said.result(items())]),
        },
        violation: {
          'the API refused it': called()
            .upstream('/resource/items')
            .events([said.call(), said.result({ error: 'HTTP 401' })]),
          'the token of the arguments is preferred after consent': recording()
            .asked()
            .callback()
            .grant()
            .access({ token: undefined, outcome: 'refused' })
            .back([said.result({ error: 'HTTP 401' })]),
          'the agent failed over it': called().upstream('/resource/items').answered(500),
        },
        inconclusive: {
          'a result, made with whatever': called().events([said.call(), said.result(items())]),
          'the arguments are refused': called().events([
            said.call(),
            said.result({ error: 'unexpected keyword argument' }),
          ]),
          'the model did not call it': recording().begin().events([said.text()]),
          'not answered': called(),
        },
      },
    },
  },
  options,
)
