/** Defects: credential requests that are not noticed, and URLs that should not be opened, or not like that. */

import type { Defect } from './defect.ts'

export const openingDefects: readonly Defect[] = [
  {
    id: 'requests-ignored',
    description: 'credential requests are not noticed',
    parts: () => ({ requestsIn: () => [] }),
  },
  {
    id: 'camel-case-only',
    description: 'requests are noticed that name their members in camelCase only',
    parts: ({ requestsIn }) => ({
      requestsIn: (events) =>
        requestsIn(events).filter(({ by }) => by === 'response' || hasCamelCase(events)),
    }),
  },
  {
    id: 'request-needs-a-role',
    description: 'events whose content has no role are left out',
    parts: ({ requestsIn }) => ({
      requestsIn: (events) =>
        requestsIn(
          events.filter(({ content }) => JSON.stringify(content ?? null).includes('"role"')),
        ),
    }),
  },
  {
    id: 'first-event-only',
    description: 'requests are looked for in the first two events only',
    parts: ({ requestsIn }) => ({ requestsIn: (events) => requestsIn(events.slice(0, 2)) }),
  },
  {
    id: 'first-request-only',
    description: 'of several requests in an event the first one is noticed',
    parts: ({ requestsIn }) => ({ requestsIn: (events) => requestsIn(events).slice(0, 1) }),
  },
  {
    id: 'asked-once-only',
    description: 'whoever has been sent away once is not sent away again',
    parts: ({ requestsIn }) => {
      let asked = false
      return {
        requestsIn(events) {
          const requests = asked ? [] : requestsIn(events)
          asked ||= requests.length > 0
          return requests
        },
      }
    },
  },
  {
    id: 'requests-in-answers-ignored',
    description:
      'requests are looked for in what comes of words alone, not in what comes of an answer',
    parts: ({ requestsIn, runTurn }) => ({
      async runTurn(config, session, parts) {
        const events = await runTurn(config, session, parts)
        const isAnswer = parts.some((part) => part['functionResponse'] !== undefined)
        return isAnswer ? events.filter((event) => requestsIn([event]).length === 0) : events
      },
    }),
  },
  {
    id: 'redirect-appended-blindly',
    description: 'redirect_uri is appended also where there is one',
    parts: () => ({
      withRedirect: (authUri, redirectUri) =>
        `${authUri}&redirect_uri=${encodeURIComponent(redirectUri)}`,
    }),
  },
  {
    id: 'redirect-replaced',
    description: 'a redirect_uri that is there is replaced by another one',
    parts: () => ({
      withRedirect(authUri, redirectUri) {
        const url = new URL(authUri)
        const own = url.searchParams.get('redirect_uri') ? `${redirectUri}/again` : redirectUri
        url.searchParams.set('redirect_uri', own)
        return url.href
      },
    }),
  },
  {
    id: 'redirect-always-own',
    description: 'the redirect_uri is that of the client application, whatever is there',
    parts: () => ({
      withRedirect(authUri, redirectUri) {
        const url = new URL(authUri)
        url.searchParams.set('redirect_uri', redirectUri)
        return url.href
      },
    }),
  },
  {
    id: 'url-decoded',
    description: 'the URL is decoded before it is opened',
    parts: ({ withRedirect }) => ({
      withRedirect: (authUri, redirectUri) =>
        withRedirect(decodeURIComponent(authUri), redirectUri),
    }),
  },
  {
    id: 'any-scheme-opened',
    description: 'whatever is a URL is opened, scripts, files and plain http as well',
    parts: () => ({ isSafeUrl: (url) => URL.canParse(url) }),
  },
  {
    id: 'loopback-by-prefix',
    description: 'plain http is opened where the URL begins like one of the loopback interface',
    parts: () => ({ isSafeUrl: (url) => /^(https:|http:\/\/(localhost|127\.0\.0\.1))/.test(url) }),
  },
  {
    id: 'loopback-by-suffix',
    description: 'plain http is opened at every host whose name ends with localhost',
    parts: ({ isSafeUrl }) => ({
      isSafeUrl: (url) => isSafeUrl(url) || /^http:\/\/[^/?#@]*localhost([:/]|$)/.test(url),
    }),
  },
  {
    id: 'private-networks-trusted',
    description: 'plain http is opened in private networks',
    parts: ({ isSafeUrl }) => ({
      isSafeUrl: (url) => isSafeUrl(url) || /^http:\/\/(10|192\.168)\.[\d.]+([:/]|$)/.test(url),
    }),
  },
  {
    id: 'loopback-by-first-byte',
    description: 'plain http is opened at every host whose name begins with 127',
    parts: ({ isSafeUrl }) => ({
      isSafeUrl(url) {
        const { protocol, hostname } = URL.canParse(url) ? new URL(url) : new URL('about:blank')
        return isSafeUrl(url) || (protocol === 'http:' && hostname.startsWith('127.'))
      },
    }),
  },
  {
    id: 'https-anywhere',
    description: 'what has a URL of https anywhere in it is opened',
    parts: ({ isSafeUrl }) => ({ isSafeUrl: (url) => isSafeUrl(url) || url.includes('https://') }),
  },
  {
    id: 'loopback-of-any-scheme',
    description: 'whatever is at the loopback interface is opened, by any scheme',
    parts: ({ isSafeUrl }) => ({
      isSafeUrl: (url) =>
        isSafeUrl(url) || (URL.canParse(url) && new URL(url).hostname === '127.0.0.1'),
    }),
  },
  {
    id: 'schemes-blocked-by-list',
    description: 'URLs are opened unless their scheme is on a list of bad ones',
    parts: () => ({
      isSafeUrl: (url) => URL.canParse(url) && !/^(javascript|data|file|vbscript|http):/i.test(url),
    }),
  },
  {
    id: 'anything-opened',
    description: 'whatever the agent sends is offered to the user, a URL or not',
    parts: ({ withRedirect }) => ({
      isSafeUrl: () => true,
      withRedirect: (authUri, redirectUri) =>
        URL.canParse(authUri) ? withRedirect(authUri, redirectUri) : authUri,
    }),
  },
]

function hasCamelCase(events: readonly unknown[]): boolean {
  return JSON.stringify(events).includes('"functionCallId"')
}
