import { describeExamples } from '../../../testing.ts'
import { items, options, recording, said, type Cases } from '../testing.ts'
import { alteredAnswerScenarios } from './altered-answers.ts'

const forged = () => recording().asked().mark('forged').callback({ code: 'c', state: 'other' })
const genuine = (recorded: ReturnType<typeof forged>) => recorded.window().mark('genuine')

/** The undisturbed call. */
const twin = () =>
  recording()
    .asked()
    .callback()
    .grant()
    .access()
    .back([said.result(items())])

const believed: Cases['violation'] = {
  'the code is redeemed': genuine(forged().grant().back()),
  'the tool is run': genuine(
    forged()
      .access()
      .back([said.result(items())]),
  ),
}

const untold: Cases['inconclusive'] = {
  'it was not sent': recording().asked().mark('forged').mark('genuine'),
  'it was not answered': forged(),
}

const refused: Cases = {
  pass: {
    'nothing comes of it': genuine(forged().back()),
    'the call ends in an error': genuine(forged().back([said.result({ error: 'no such state' })])),
    'it asks anew': genuine(forged().back([said.request('request-2')])),
    'the call ends in any words': [
      genuine(forged().back([said.result({ result: 'abgelehnt' })])),
      {},
      twin(),
    ],
    'what follows the genuine one': genuine(forged().back())
      .callback()
      .grant()
      .access()
      .back([said.result(items())]),
    'in the dialect of responses the code is redeemed before': [
      genuine(forged().grant().back()),
      { dialect: 'response' },
    ],
  },
  violation: {
    ...believed,
    'a result is made up': [genuine(forged().back([said.result({ titles: [] })])), {}, twin()],
    'in the dialect of responses, too': [
      genuine(
        forged()
          .grant()
          .access()
          .back([said.result(items())]),
      ),
      { dialect: 'response' },
    ],
  },
  inconclusive: untold,
}

const byId = Object.fromEntries(
  alteredAnswerScenarios.map(({ id, checks }) => [
    id,
    Object.fromEntries(checks.map(({ requirement }) => [requirement, refused])),
  ]),
)

describeExamples(
  alteredAnswerScenarios,
  {
    ...byId,
    'endpoints-in-answer': {
      'adk-credential/agent/endpoints-from-configuration': {
        pass: {
          'the configured one': genuine(forged().upstream('/token').grant().back()),
          none: genuine(forged().back()),
        },
        violation: { 'the other one': genuine(forged().upstream('/another/token').back()) },
        inconclusive: {
          'it was not sent': recording().asked().mark('forged'),
          'nobody watched': forged().back(),
        },
      },
    },
    'error-beside-code': {
      'adk-credential/agent/no-exchange-after-error': {
        pass: {
          'nothing comes of it': genuine(forged().back()),
          'the call ends in any words': genuine(forged().back([said.result({ result: 'nein' })])),
          'it asks anew': genuine(forged().back([said.request('request-2')])),
        },
        violation: believed,
        inconclusive: untold,
      },
    },
  },
  options,
)
