import { expect, test } from 'vitest'
import { describeChecks, judge, recording } from '../testing.ts'
import { timeoutScenarios } from './timeouts.ts'

const [abandoned, tooLate, afterwards] = timeoutScenarios

const undeclared = { pendingTimeoutMs: undefined }
const opened = () => recording().asked()
const tenMinutes = { pendingTimeoutMs: 600_000 }
/** The clock of the tool was moved past the limit. */
const moved = (ms: number, nap = 0) => opened().step('clock', { ms, nap })

describeChecks(abandoned!, {
  'rap-oauth/tool/documented-timeout': {
    pass: {
      'it ends when declared': opened().after(4000).result('Error: timed out'),
      'it ends within the grace': opened().after(5400).result('Error: timed out'),
      'it ends when its clock is moved past the limit': [
        moved(600_100).after(50).result('Error: timed out'),
        tenMinutes,
      ],
      'it ends within the grace, by a clock that was moved': [
        moved(600_100).after(1300).result('Error: timed out'),
        tenMinutes,
      ],
      'it ends although nothing is declared': [opened().result('Error: timed out'), undeclared],
    },
    violation: {
      'it ends later': opened().after(5600).result('Error: timed out'),
      'it does not end': opened().gaveUp(10_500),
      'it does not end by a clock that was moved': [moved(600_100).gaveUp(10_000), tenMinutes],
      'it ends late by a clock that was moved': [
        moved(600_100).after(6000).result('Error: timed out'),
        tenMinutes,
      ],
      'it does not end, and nothing is declared': [opened().window(), undeclared],
    },
    inconclusive: {
      'nobody was asked': recording().invoke().gaveUp(),
      'it was not waited for so long': opened().gaveUp(5000),
      'nobody waited': opened(),
      'the clock was not moved far enough': [moved(300_000).gaveUp(10_000), tenMinutes],
      'its clock was moved before it asked': [
        recording().step('clock', { ms: 3600_000 }).asked().gaveUp(10_000),
        tenMinutes,
      ],
      'it slept when its clock was moved': [
        moved(600_100, 6000).after(6000).result('Error: timed out'),
        tenMinutes,
      ],
      'nobody watched, and nothing is declared': [opened(), undeclared],
    },
  },
  'rap-oauth/tool/single-result': {
    pass: { one: opened().after(4000).result('Error: timed out').window() },
    violation: { two: opened().result('Error: timed out').result('Error: timed out').window() },
    inconclusive: { none: opened().window() },
  },
})

describeChecks(afterwards!, {
  'rap-oauth/tool/single-result': {
    pass: {
      'nothing more comes': recording().completed().window(5500),
      'nothing more comes for anybody': recording()
        .completed()
        .asked()
        .result('Error: denied')
        .window(5500),
    },
    violation: {
      'the timer of a call that was denied was not stopped': recording()
        .completed()
        .asked()
        .result('Error: denied')
        .after(4000)
        .result('Error: timed out')
        .window(),
      'the timer was not stopped': recording()
        .completed()
        .after(4000)
        .result('Error: timed out')
        .window(),
    },
    inconclusive: { 'nobody watched': recording().completed() },
  },
})

test('an end that is late on a machine that is late with everything proves nothing', () => {
  const t = recording().invoke({}, 'open').after(1500).ack(200).oauth().after(6000).result('Error')
  expect(judge(abandoned!, 'rap-oauth/tool/documented-timeout', t).outcome).toBe('inconclusive')
})

const timedOut = () => opened().after(4000).result('Error: timed out').mark('late')

describeChecks(tooLate!, {
  'rap-oauth/tool/single-result': {
    pass: { 'nothing more comes': timedOut().callback().window() },
    violation: { 'a second result comes': timedOut().callback().grant().result().window() },
    inconclusive: {
      'nothing is declared': [timedOut().callback().window(), undeclared],
      'the user did not come back late': timedOut().window(),
      'the late callback was not answered': timedOut().callback({ code: 'c' }, 'open').window(),
      'it did not time out': opened().mark('late').callback().window(),
      'nobody watched': timedOut().callback(),
    },
  },
})

test('a late callback that was refused did not reach the tool', () => {
  const t = timedOut().callback({ code: 'c' }, 'refused').window()
  expect(judge(tooLate!, 'rap-oauth/tool/single-result', t).outcome).toBe('inconclusive')
})
