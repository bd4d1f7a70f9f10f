import { describe, expect, test } from 'vitest'
import { claimedBy, tellsOfAuthorization } from './pending-notice.ts'

describe('what a tool answer amounts to while the call is pending', () => {
  test.each([
    'Waiting for the authorization of the user.',
    'The user was asked to sign in.',
    'The user is signing in',
    'signin required',
    'Please log in first',
    'logging-in',
    'login needed',
    'in progress',
    'in-progress',
    'The call was dispatched; the result will follow.',
    'not yet available',
    'not done',
    'pending, no error so far',
    '{"error":null,"status":"awaiting_authorization"}',
    '{"status":"auth_required","completed":false}',
    '{ "is_error": false, "failed": 0, "message": "Sign in first." }',
    "{'error': None, 'status': 'pending'}",
    '{"completed":false}',
    '{"status":"ok","completed":false}',
    'approval_required: not_approved',
    'Tool call dispatched successfully.',
    'The call waits for its user. (https://x.example/?state=url-1)',
    'Der Aufruf wartet noch: https://x.example/?state=url-1',
    'Successfully queued.',
    'Invocation sent successfully, the tool is working on it.',
    '{"status":"dispatched","message":"Tool invoked successfully"}',
    '{"status":"successfully_submitted"}',
  ])('%s: under way', (text) => {
    expect(claimedBy(text, false, 'url-1')).toBeUndefined()
    expect(claimedBy(text, undefined, undefined)).toBeUndefined()
  })

  test.each([
    ['Error: authorization required', undefined, 'an error'],
    ['"Error: authorization required"', undefined, 'an error'],
    [' failed to start', undefined, 'an error'],
    ['authorization required', true, 'an error'],
    ['see https://x/?state=url-1', undefined, 'the authorization URL as the result'],
    [
      '{"type": "oauth", "auth_url": "https://x/?state=url-1"}',
      undefined,
      'the authorization URL as the result',
    ],
    ['', undefined, 'an empty result'],
    [' "" ', undefined, 'an empty result'],
    ['null', undefined, 'an empty result'],
    ['{"error":null}', undefined, 'an empty result'],
    ['{"error":"authorization required","completed":false}', undefined, 'an error'],
    ['{"error":null,"status":"error"}', undefined, 'an error'],
    ['Error: null', undefined, 'an error'],
    ['{"status":"ok","error":null}', undefined, 'a bare success'],
    ['{"status":"authorization_completed"}', undefined, 'a completion that never happened'],
    ['Completed successfully.', undefined, 'a completion that never happened'],
    ['Dispatched, and completed successfully.', undefined, 'a completion that never happened'],
    // It may word its status as it likes: what was never sent is for the real result to show.
    ['You have three items.', undefined, undefined],
  ])('%s: %s, %s', (text, isError, claim) => {
    expect(claimedBy(text, isError, 'url-1')).toBe(claim)
  })
})

test.each(['\n', ' "', '_ ', '{ ', 'status ', 'ok ', '"a" ', '"error":null,'])(
  'a long answer takes no time: %j',
  (filling) => {
    const text = `${filling.repeat(200_000)}x`
    const before = process.cpuUsage()
    claimedBy(text, undefined, undefined)
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000)
  },
)

test.each([
  ['The user has been asked to authorise this.', true],
  ['waits for authorization', true],
  ['needs permission', true],
  ['connect your account', true],
  ['please login', true],
  ['please log-in', true],
  ['signin first', true],
  ['still running', false],
  ['the author is known', false],
])('%s tells of an authorization: %s', (text, telling) => {
  expect(tellsOfAuthorization(text)).toBe(telling)
})
