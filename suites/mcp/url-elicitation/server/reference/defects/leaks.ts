/** Defects that show secrets: to clients, in browsers, in logs. */

import type { Parts } from '../parts.ts'
import type { Tokens } from '../tokens/tokens.ts'
import { withHead } from './alter.ts'
import type { Defect } from './defect.ts'
import { alterElicitation, alterMessages, alterResults, fieldsOf } from './alter.ts'

export const leakDefects: readonly Defect[] = [
  {
    id: 'banner-on-stdout',
    description: 'over stdio, a line of its own is written before the first message',
    parts: (defaults) => ({
      createStdioTransport() {
        process.stdout.write('items-server is ready\n')
        return defaults.createStdioTransport()
      },
    }),
  },
  {
    id: 'token-in-result',
    description: 'the result of the tool contains the access token of the API',
    parts: (defaults) =>
      withTokens(defaults, (tokens) =>
        alterResults(defaults, (text) => `${text}\nauthorized with ${tokens().accessToken}`),
      ),
  },
  {
    id: 'token-in-meta',
    description: 'the result of the tool has the refresh token in its _meta',
    parts: (defaults) =>
      withTokens(defaults, (tokens) => ({
        describeItems: (call, items) => ({
          ...defaults.describeItems(call, items),
          _meta: { 'items.example/session': tokens().refreshToken },
        }),
      })),
  },
  {
    id: 'token-in-complete',
    description: 'complete carries the access token of the API',
    parts: (defaults) =>
      withTokens(defaults, (tokens) =>
        alterMessages(defaults, (message) =>
          message['method'] === 'notifications/elicitation/complete'
            ? {
                ...message,
                params: { ...fieldsOf(message['params']), token: tokens().accessToken },
              }
            : message,
        ),
      ),
  },
  {
    id: 'client-secret-in-message',
    description: 'the message to the user contains the secret of the server as an OAuth client',
    parts: (defaults) => {
      let secret = ''
      return {
        discoverProvider(settings, fetch) {
          secret = settings.clientSecret ?? ''
          return defaults.discoverProvider(settings, fetch)
        },
        ...alterElicitation((params) => ({ ...params, message: `Authorize items (${secret})` })),
      }
    },
  },
  {
    id: 'verifier-in-result',
    description: 'the result of the tool contains the code verifier',
    parts: (defaults) => {
      let newest = ''
      return {
        newVerifier() {
          newest = defaults.newVerifier()
          return newest
        },
        ...alterResults(defaults, (text) => `${text}\n${newest}`),
      }
    },
  },
  {
    id: 'error-quotes-callback',
    description: 'an exchange that failed is described with the code that was sent',
    parts: (defaults) => {
      let code = ''
      return {
        exchangeCode(provider, grant, now) {
          code = grant.response.get('code') ?? ''
          return defaults.exchangeCode(provider, grant, now)
        },
        describeFailure(error) {
          const result = defaults.describeFailure(error)
          return { ...result, content: [...result.content, { type: 'text', text: `(${code})` }] }
        },
      }
    },
  },
  {
    id: 'token-in-log',
    description: 'the access token of the API is logged',
    parts: (defaults) => ({
      async exchangeCode(...args) {
        const tokens = await defaults.exchangeCode(...args)
        process.stderr.write(`authorized with ${tokens.accessToken}\n`)
        return tokens
      },
    }),
  },
  {
    id: 'client-token-in-log',
    description: 'the access token of the client is logged',
    parts: (defaults) => ({
      verifyToken(provider, token) {
        process.stderr.write(`called with ${token}\n`)
        return defaults.verifyToken(provider, token)
      },
    }),
  },
  {
    id: 'callback-in-log',
    description: 'the query of the callback is logged',
    parts: (defaults) => ({
      validateState(query, flows) {
        process.stderr.write(`GET /callback?${query.toString()}\n`)
        return defaults.validateState(query, flows)
      },
    }),
  },
  {
    id: 'token-in-page',
    description: 'the page in the browser shows the access token of the API',
    parts: (defaults) =>
      withTokens(defaults, (tokens) => ({
        renderPage: (http, page) =>
          page === 'approved'
            ? http.html(`<h1>Thank you</h1><!-- ${tokens().accessToken} -->`)
            : defaults.renderPage(http, page),
      })),
  },
  {
    id: 'font-from-elsewhere',
    description: 'pages take their typeface from a font service',
    parts: (defaults) => ({
      renderPage: async (http, page) =>
        withHead(
          await defaults.renderPage(http, page),
          '<style>@import url(https://fonts.example/css);</style>',
        ),
    }),
  },
]

const none: Tokens = { accessToken: '', refreshToken: null, expiresAt: null, scopes: [] }

/** Parts that know the tokens that were granted last. */
function withTokens(
  defaults: Parts,
  parts: (tokens: () => Tokens) => Partial<Parts>,
): Partial<Parts> {
  let newest = none
  return {
    async exchangeCode(...args) {
      newest = await defaults.exchangeCode(...args)
      return newest
    },
    ...parts(() => newest),
  }
}
