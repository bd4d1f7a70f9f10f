import { expect, test } from 'vitest'
import { failureIn } from './failure-in.ts'

const told = (text: string) =>
  failureIn(
    [{ toolCalls: [{ id: 'c', name: 'list_items' }] }, { toolResults: [{ callId: 'c', text }] }],
    ['list_items'],
  )

test.each([
  '{"waiting": true, "failed": false, "exception": null}',
  '{"status": "waiting", "failure": {}, "errors": []}',
  '{"is_error": false, "failed": 0}',
  'It waits, and is not an error.',
  'What terrors!',
])('%s tells of no failure', (text) => {
  expect(told(text)).toBeUndefined()
})

test.each([
  'ToolAuthError: no user',
  '{"failed": true}',
  '{"error": "denied"}',
  '{"failed": false, "exception": "denied"}',
])('%s tells of one', (text) => {
  expect(told(text)).toBe(text)
})
