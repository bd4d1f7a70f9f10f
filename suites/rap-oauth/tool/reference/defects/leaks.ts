/** Defects that show a secret to somebody: in results, pages, headers and logs, plain and encoded. */

import { gzipSync } from 'node:zlib'
import type { HttpBindings } from '@hono/node-server'
import type { Context as Http } from 'hono'

import { CallFailure } from '../failure.ts'
import { alterMessages, inspectTokenResponse, isResult } from './alter.ts'
import type { Parts } from '../parts.ts'
import type { Defect } from './defect.ts'

export const leakDefects: readonly Defect[] = [
  {
    id: 'code-on-a-compressed-page',
    description: 'a page that is sent compressed links to itself, code and all',
    parts: (defaults) => ({
      renderPage(http, page) {
        if (!http.req.header('accept-encoding')?.includes('gzip'))
          return defaults.renderPage(http, page)
        const link = `<a href="${http.req.url.replaceAll('&', '&amp;')}">Try again</a>`
        http.header('content-encoding', 'gzip')
        http.header('content-type', 'text/html; charset=utf-8')
        return http.body(new Uint8Array(gzipSync(link)))
      },
    }),
  },
  {
    id: 'code-in-a-reason-phrase',
    description: 'the status line of a page quotes the query of the request',
    parts: (defaults) => ({
      renderPage(http: Http<{ Bindings: HttpBindings }>, page) {
        http.env.outgoing.statusMessage = `Nothing for ${http.req.url.split('?')[1] ?? 'you'}`
        return defaults.renderPage(http, page)
      },
    }),
  },
  // ------------------------------------------------------------- in results
  {
    id: 'token-in-result',
    description: 'a successful result names the access token',
    parts: (defaults) => appendToken(defaults, (token) => token),
  },
  {
    id: 'token-in-result-base64',
    description: 'a successful result holds the access token inside base64 JSON',
    parts: (defaults) =>
      appendToken(defaults, (token) => Buffer.from(JSON.stringify({ token })).toString('base64')),
  },
  {
    id: 'token-in-result-hex',
    description: 'a successful result holds the access token in hexadecimal',
    parts: (defaults) => appendToken(defaults, (token) => Buffer.from(token).toString('hex')),
  },
  {
    id: 'token-in-error',
    description: 'an error text quotes the request with its Authorization header',
    parts: (defaults) => ({
      async performOperation(api, request, accessToken) {
        try {
          return await defaults.performOperation(api, request, accessToken)
        } catch (error) {
          if (!(error instanceof CallFailure)) throw error
          throw new CallFailure(error.code, `Request: Authorization: Bearer ${accessToken}`)
        }
      },
    }),
  },
  {
    id: 'refresh-token-in-result',
    description: 'a result holds the whole token record',
    parts: (defaults) => {
      const records = new Map<string, string>()
      return {
        async saveTokens(files, key, tokens) {
          records.set(tokens.accessToken, JSON.stringify({ refresh: tokens.refreshToken }))
          await defaults.saveTokens(files, key, tokens)
        },
        ...appendToken(defaults, (token) => records.get(token) ?? ''),
      }
    },
  },
  {
    id: 'provider-error-in-result',
    description: 'an error text quotes what the token endpoint answered',
    parts: (defaults) => ({
      async exchangeCode(provider, grant, now) {
        let answer = ''
        const inspected = inspectTokenResponse(defaults, (_, text) => {
          answer = text
        })
        try {
          return await inspected.exchangeCode(provider, grant, now)
        } catch (error) {
          throw error instanceof CallFailure ? new CallFailure(error.code, answer) : error
        }
      },
    }),
  },
  {
    id: 'service-answer-in-result',
    description: 'whatever the service answers is passed on as it is',
    parts: (defaults) => ({
      async performOperation(api, request, accessToken) {
        let text = ''
        const attempt = await defaults.performOperation(
          {
            ...api,
            async fetch(url, init) {
              const response = await api.fetch(url, init)
              text = await response.clone().text()
              return response
            },
          },
          request,
          accessToken,
        )
        return attempt.done ? { done: true, text } : attempt
      },
    }),
  },
  // ------------------------------------------------------------- in other output
  {
    id: 'code-in-page',
    description: 'the page after consent shows the code',
    parts: (defaults) => ({
      renderPage: (http, page) =>
        page === 'approved'
          ? http.text(`Your code is ${http.req.query('code')}`)
          : defaults.renderPage(http, page),
    }),
  },
  {
    id: 'code-in-page-header',
    description: 'the page after consent links to itself, code included, in a header',
    parts: (defaults) => ({
      renderPage(http, page) {
        http.header('link', `<${http.req.url}>; rel="canonical"`)
        return defaults.renderPage(http, page)
      },
    }),
  },
  {
    id: 'token-in-callback-header',
    description: 'the request to the runtime carries the last access token as its authorization',
    parts: (defaults) => {
      let last = ''
      return {
        performOperation(api, request, accessToken) {
          last = accessToken
          return defaults.performOperation(api, request, accessToken)
        },
        post: (message, signal) =>
          defaults.post(
            { ...message, headers: { ...message.headers, authorization: `Bearer ${last}` } },
            signal,
          ),
      }
    },
  },
  {
    id: 'client-secret-in-message',
    description: 'messages carry the configuration of the tool for debugging',
    parts: (defaults) => {
      let configuration = {}
      return {
        discoverProvider(settings, fetch) {
          const { clientId, clientSecret } = settings
          configuration = { clientId, clientSecret }
          return defaults.discoverProvider(settings, fetch)
        },
        ...alterMessages(defaults, (message) =>
          isResult(message) ? { ...message, debug: configuration } : message,
        ),
      }
    },
  },
  {
    id: 'refresh-token-for-the-api',
    description: 'requests to the API carry the refresh token of the user, too',
    parts: (defaults) => {
      const known = new Map<string, string>()
      return {
        async saveTokens(files, key, tokens) {
          known.set(tokens.accessToken, tokens.refreshToken ?? '')
          await defaults.saveTokens(files, key, tokens)
        },
        performOperation(api, request, accessToken) {
          const more = { 'x-refresh-token': known.get(accessToken) ?? '' }
          const fetch: typeof api.fetch = (url, init) =>
            api.fetch(url, { ...init, headers: { ...init?.headers, ...more } })
          return defaults.performOperation({ ...api, fetch }, request, accessToken)
        },
      }
    },
  },
  // ------------------------------------------------------------- in logs
  {
    id: 'code-in-log',
    description: 'the query of the callback is logged',
    parts: (defaults) => ({
      isAnswer(query) {
        print(`callback ${query.toString()}`)
        return defaults.isAnswer(query)
      },
    }),
  },
  {
    id: 'token-in-log',
    description: 'the access token is logged with every request to the service',
    parts: (defaults) => ({
      performOperation(api, request, accessToken) {
        print(`${request.operation} with ${accessToken}`)
        return defaults.performOperation(api, request, accessToken)
      },
    }),
  },
  {
    id: 'token-response-in-log',
    description: 'the answer of the token endpoint is logged as base64',
    parts: (defaults) =>
      inspectTokenResponse(defaults, (_, text) =>
        print(`token response ${Buffer.from(text).toString('base64')}`),
      ),
  },
  {
    id: 'client-secret-in-log',
    description: 'the configuration is logged when the provider is first needed',
    parts: (defaults) => ({
      discoverProvider(settings, fetch) {
        const { issuer, clientId, clientSecret } = settings
        print(JSON.stringify({ issuer, clientId, clientSecret }))
        return defaults.discoverProvider(settings, fetch)
      },
    }),
  },
  {
    id: 'verifier-in-log',
    description: 'the code verifier is logged after the exchange',
    parts: (defaults) => ({
      async exchangeCode(provider, grant, now) {
        const tokens = await defaults.exchangeCode(provider, grant, now)
        print(`exchanged with verifier ${grant.verifier}`)
        return tokens
      },
    }),
  },
]

/** Adds something made of the access token to the result of a successful operation. */
function appendToken(defaults: Parts, show: (accessToken: string) => string) {
  return {
    async performOperation(api, request, accessToken) {
      const attempt = await defaults.performOperation(api, request, accessToken)
      return attempt.done ? { done: true, text: `${attempt.text} ${show(accessToken)}` } : attempt
    },
  } satisfies Partial<Parts>
}

function print(line: string): void {
  process.stderr.write(`${line}\n`)
}
