import { expect, test } from 'vitest'
import { describeExamples, describeJudge } from '../../../testing.ts'
import { options, recording, type Cases } from '../testing.ts'
import { exchangeChecks, noLife, replayChecks } from './exchanges.ts'

const control = recording().served()
const tried = () => recording().asked().consent().callback().tokenRequest()

const storesNothing: Cases = {
  pass: {
    'it pauses again': [tried().took('refused').resume().paused(), {}, control],
    'the run ends': [tried().resume().finished(), {}, control],
  },
  violation: {
    'said to be stored': [tried().took().resume().paused(), {}, control],
    'the tool runs': [tried().took('refused').resume().toolRun().finished(), {}, control],
    'the API is asked': [tried().resume().access().finished(), {}, control],
  },
  inconclusive: {
    'no token request': [recording().asked().consent().callback().resume().paused(), {}, control],
    'nothing came of it': [tried().took('refused').resume(), {}, control],
    'nothing is stored ever': [tried().resume().paused(), {}, recording().asked()],
  },
}

describeJudge(
  'an exchange that brings no token',
  exchangeChecks['exchange-token-null-access-token']![0]!.judge,
  storesNothing,
  options,
)

const issued = () => recording().asked().consent().granted()

describeExamples(
  [noLife],
  {
    'exchange-token-expires-in-zero': {
      'penguiflow-oauth/manager/expires-in': {
        pass: {
          'it is stored': issued().took(),
          'it is refused': issued().took('refused', { kind: 'Refused', message: 'expired' }),
        },
        violation: {
          'it stumbles': issued().took('refused', { kind: 'KeyError', message: "'expires_in'" }),
        },
        inconclusive: { 'nothing came of it': issued(), 'no token': recording().asked().took() },
      },
    },
  },
  options,
)

const clear = exchangeChecks['exchange-token-error-500']?.find(({ requirement }) =>
  requirement.endsWith('clear-errors'),
)
describeJudge(
  'clear errors',
  clear!.judge,
  {
    pass: {
      'words of its own': tried().took('refused', { kind: 'Refused', message: 'HTTP 500' }),
      'words alone': tried().took('refused', { message: 'HTTP 500' }),
      'a client in JavaScript': tried().took('refused', {
        kind: 'TypeError',
        message: 'fetch failed',
      }),
    },
    violation: {
      'no words': tried().took('refused', { kind: 'Refused', message: ' ' }),
      'a stray error': tried().took('refused', { kind: 'KeyError', message: "'access_token'" }),
    },
    inconclusive: {
      'no token request': recording().asked().took('refused', { message: 'x' }),
      'not said': tried(),
      'said to be stored': tried().took(),
    },
  },
  options,
)

const replayed = () => recording().served().mark('forged').callback()

describeJudge(
  'a callback that comes once more',
  replayChecks['callback-replayed']![0]!.judge,
  {
    pass: {
      'words of its own': replayed().took('refused', { kind: 'Refused', message: 'it was used' }),
      'it is taken for the first': replayed().took('stored'),
    },
    violation: {
      'no words': replayed().took('refused', { kind: 'Refused' }),
      'a stray error': replayed().took('refused', { kind: 'KeyError', message: "'s'" }),
    },
    inconclusive: {
      'it does not come': recording().served().took('refused', { message: 'x' }),
      'nothing is said': replayed(),
    },
  },
  options,
)

test('exchanges that fail are asked about both', () => {
  expect(exchangeChecks['expired-code']?.map(({ requirement }) => requirement)).toEqual([
    'penguiflow-oauth/manager/exchange-errors',
    'penguiflow-oauth/manager/clear-errors',
  ])
})
