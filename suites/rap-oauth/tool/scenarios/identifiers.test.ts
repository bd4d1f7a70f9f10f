import { answeredCalls, describeChecks, recording } from '../testing.ts'
import { identifierScenarios } from './identifiers.ts'

const [callIdNull, callIdAbsent, callIdEmpty, callIdZero, unusual] = identifierScenarios

for (const [scenario, callId] of [
  [callIdNull!, null],
  [callIdAbsent!, undefined],
] as const) {
  const call = { call_id: callId }
  describeChecks(scenario, {
    'rap-oauth/tool/echo-call-id': {
      pass: {
        'null in both messages': recording().invoke(call).oauth(call).result('', { call_id: null }),
        'absent in both messages': recording().completed(call),
      },
      violation: {
        'an invented one': recording().invoke(call).oauth({ call_id: 'null' }),
        'the id of the call': recording().invoke(call).oauth().result('', { call_id: 'id' }),
      },
      inconclusive: { 'no message': recording().invoke(call).gaveUp() },
    },
  })
}

for (const [scenario, callId] of [
  [callIdEmpty!, ''],
  [callIdZero!, '0'],
] as const) {
  const call = { call_id: callId }
  describeChecks(scenario, {
    'rap-oauth/tool/echo-call-id': {
      pass: { unchanged: recording().completed(call) },
      violation: {
        'taken for none': recording().invoke(call).oauth({ call_id: null }),
        'left out of the result': recording()
          .invoke(call)
          .oauth(call)
          .result('', { call_id: null }),
      },
      inconclusive: { 'no message': recording().invoke(call).gaveUp() },
    },
  })
}

const odd = { id: '😀 "quoted" \\ %20 é', group_id: '<group> & #1', call_id: "\t 'x' \u00a0" }

describeChecks(unusual!, {
  'rap-oauth/tool/never-drop-invocation': answeredCalls,
  'rap-oauth/tool/echo-id': {
    pass: { unchanged: recording().completed(odd) },
    violation: { decoded: recording().invoke(odd).oauth({ id: '😀 "quoted" \\   é' }) },
    inconclusive: { 'no message': recording().invoke(odd).gaveUp() },
  },
  'rap-oauth/tool/echo-group-id': {
    pass: { unchanged: recording().completed(odd) },
    violation: { escaped: recording().invoke(odd).oauth({ group_id: '&lt;group&gt;' }) },
    inconclusive: { 'no message': recording().invoke(odd).gaveUp() },
  },
  'rap-oauth/tool/echo-call-id': {
    pass: { unchanged: recording().completed(odd) },
    violation: { trimmed: recording().invoke(odd).oauth({ call_id: "'x'" }) },
    inconclusive: { 'no message': recording().invoke(odd).gaveUp() },
  },
  'oauth-client/retry-operation': {
    pass: { 'the new token is used': recording().completed(odd) },
    violation: { 'an error instead': recording().authorized(odd).result('Error: file name') },
    inconclusive: { 'no token was issued': recording().asked(odd) },
  },
  'oauth-client/complete-call': {
    pass: { 'the call completes': recording().completed(odd) },
    violation: { 'it does not': recording().authorized(odd).gaveUp() },
    inconclusive: { 'no token was issued': recording().asked(odd).callback().gaveUp() },
  },
})
