import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { OAuthError } from '../http/oauth-error.ts'
import { consentPage } from './consent-page.ts'
import { formPostPage } from './form-post-page.ts'
import { errorPage, finishedPage, startPage, userCodePage } from './pages.ts'

const hostile = `"><script>alert('1')</script>&amp;`
const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;'

const authorization = {
  id: 'authz_1',
  request: {
    clientId: hostile,
    redirectUri: hostile,
    redirectUriGiven: true,
    responseType: 'code' as const,
    responseMode: 'query' as const,
    state: undefined,
    scopes: [hostile],
    resource: [],
    nonce: undefined,
    dpopJkt: undefined,
    extra: {},
    codeChallenge: undefined,
    codeChallengeMethod: undefined,
  },
  decided: false,
  subject: undefined,
  scopes: [hostile],
  accessTokenLifetimes: [],
  accessTokensIssued: 0,
  age: 0,
  revoked: false,
}

const pages = {
  consent: () =>
    consentPage(authorization, {
      clientName: hostile,
      users: [{ subject: hostile, name: hostile }],
    }),
  'user code': () => userCodePage(hostile, { problem: hostile }),
  error: () => errorPage(new OAuthError(hostile, hostile), [{ name: hostile, values: [hostile] }]),
  start: () => startPage(hostile, [['https://provider.test/jwks', hostile]]),
  'form post': () => formPostPage('https://app.example/callback', [[hostile, hostile]]),
  finished: () => finishedPage(true),
}

test.each(Object.entries(pages))('the %s page escapes what it shows', async (name, write) => {
  const { text = '' } = await write()
  expect(text).not.toContain('<script>alert')
  if (name !== 'finished') expect(text).toContain(escaped)
})

test.each(Object.entries(pages))(
  'the %s page allows its own style, and no other',
  async (_, write) => {
    const { headers, text = '' } = await write()
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(text) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    expect(style).not.toBe('')
    expect(headers['content-security-policy']).toContain(`style-src 'sha256-${hash}';`)
  },
)
