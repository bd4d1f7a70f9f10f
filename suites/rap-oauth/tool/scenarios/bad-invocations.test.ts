import { describe, expect, test } from 'vitest'
import { describeChecks, judge, recording, type Ending } from '../testing.ts'
import { badInvocationScenarios } from './bad-invocations.ts'

const refused = badInvocationScenarios.slice(0, -1)
const survives = badInvocationScenarios.at(-1)!

const served = recording().authorized().access().result('[{"id":"1"}]')

for (const scenario of refused) {
  describeChecks(scenario, {
    [scenario.id === 'unknown-operation'
      ? 'rap-oauth/tool/validate-operation'
      : 'rap-oauth/tool/report-bad-arguments']: {
      pass: {
        'an error result': [recording().invoke().result('Error: unknown'), {}, served],
        'words of its own, after a consent': [
          recording().authorized().result('Diese Operation gibt es nicht.'),
          {},
          served,
        ],
        'no words at all, as always': [
          recording().authorized().result(''),
          {},
          recording().authorized().access().result(''),
        ],
        'refused with 400': [recording().invoke({}, 400), {}, served],
      },
      violation: {
        'the result of another operation': [
          recording().authorized().access().result('[{"id":"1"}]'),
          {},
          served,
        ],
        'the data of the account': [
          recording().authorized().access().result('for subject-of-user: nothing'),
          {},
          served,
        ],
      },
      inconclusive: {
        'it was not sent': [recording(), {}, served],
        'it never ended': [recording().authorized().gaveUp(), {}, served],
        'nothing is served': [recording().invoke().result('Error: unknown'), {}, recording()],
      },
    },
    'rap-oauth/tool/never-drop-invocation': {
      pass: {
        'an error result': recording().invoke().result('Error: unknown'),
        'an oauth message first, then a result': recording().authorized().result('no'),
        'a result that needs no consent any more': recording().invoke().oauth().result('no'),
        'refused with 400': recording().invoke({}, 400),
        'refused with 422': recording().invoke({}, 422),
        'a result although it answered 500': recording().invoke({}, 500).result('Error: unknown'),
      },
      violation: {
        'acknowledged and forgotten': recording().invoke().gaveUp(),
        'redirected and forgotten': recording().invoke({}, 302).gaveUp(),
        'the connection was closed': recording().invoke({}, 'refused').gaveUp(),
        'forgotten after the consent': recording().authorized().gaveUp(),
      },
      inconclusive: {
        'nobody waited': recording().invoke(),
        'the user did not come back': recording().asked().gaveUp(),
        'it was not sent': recording(),
      },
    },
    'rap-oauth/tool/acknowledge-bad-invocation': {
      pass: { '200': recording().invoke() },
      violation: {
        '400': recording().invoke({}, 400),
        '500': recording().invoke({}, 500),
      },
      inconclusive: {
        'no answer': recording().invoke({}, 'open'),
        'no connection': recording().invoke({}, 'refused'),
      },
    },
  })

  describe(scenario.id, () => {
    test.each([400, 500, 501])('who answers %i has not dropped the invocation', (status) => {
      const t = recording().invoke({}, status).gaveUp()
      const { outcome } = judge(scenario, 'rap-oauth/tool/never-drop-invocation', t)
      expect(outcome).toBe('pass')
    })

    test('who answers 202 has not told that there will be no message', () => {
      const t = recording().invoke({}, 202).gaveUp()
      const { outcome } = judge(scenario, 'rap-oauth/tool/never-drop-invocation', t)
      expect(outcome).toBe('violation')
    })
  })
}

const names =
  'no-json empty array null no-fields form plain-text invalid-utf8 deep prototype wrong-types no-callback'.split(
    ' ',
  )

/** Every malformed invocation was sent. */
function malformed(ending: Ending = 400, without?: string) {
  const t = recording()
  for (const name of names) if (name !== without) t.post(name, '{', ending)
  return t
}

describeChecks(survives, {
  'rap-oauth/tool/survive-malformed-invocation': {
    pass: {
      'it refuses them and goes on': malformed().invoke().oauth(),
      'it does not answer them, but goes on': malformed('open').invoke().oauth(),
      'it acknowledges them and goes on': malformed(200).invoke().result('Error: x'),
    },
    violation: {
      'the proper one gets no message': malformed().invoke().gaveUp(),
      'the proper one gets no answer': malformed().invoke({}, 'open').gaveUp(),
    },
    inconclusive: {
      'one was not sent': malformed(400, 'deep').invoke().oauth(),
      'no proper one was sent': malformed(),
      'the proper one was not waited for': malformed().invoke(),
    },
  },
})

test('a tool that malformed invocations have ended did not survive them', () => {
  const t = malformed().invoke({}, 'refused').end('unreached', 'the implementation is gone')
  const found = judge(survives, 'rap-oauth/tool/survive-malformed-invocation', t)
  expect(found.outcome).toBe('violation')
})
