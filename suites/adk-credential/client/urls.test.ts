import { expect, test } from 'vitest'
import { sameUrl } from './urls.ts'

const came = 'http://127.0.0.1:8000/cb?code=[secret authorization_code-1]&state=a%20b'

test.each([
  [
    'in another order',
    'http://127.0.0.1:8000/cb?state=a+b&code=[secret authorization_code-1]',
    true,
  ],
  ['a secret in escapes', came.replace('code-1]', 'code-1 percent]'), true],
  ['another secret', came.replace('code-1]', 'code-2 percent]'), false],
  ['a secret in an encoding that no URL has', came.replace('code-1]', 'code-1 base64]'), false],
] as const)('%s', (_, other, same) => {
  expect(sameUrl(came, other)).toBe(same)
})
