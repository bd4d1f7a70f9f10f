/** Oddities: how the servers are reached, and how its user reads of them. */

import type { Oddity } from './oddity.ts'

export const hostOddities: readonly Oddity[] = [
  {
    id: 'new-session-for-retry',
    description: 'the call is made again in a session of its own, whose ids begin anew',
    permitted: 'MCP Transports, Session Management: clients may begin sessions at any time',
    touches: ['array', 'later-challenge', 'for-ever', 'two-servers'],
    parts: () => ({ startsAnew: () => true }),
  },
  {
    id: 'retries-later',
    description: 'the call is made again half a second after the token has come',
    permitted: 'SEP-1489, Client Behavior: no time is given',
    touches: ['array', 'token-refused-later', 'for-ever'],
    parts: ({ authorize }) => ({
      async authorize(signIn) {
        await authorize(signIn)
        await new Promise((resolve) => void setTimeout(resolve, 500))
      },
    }),
  },
  {
    id: 'one-token-only',
    description: 'a call whose new token is refused is given up at once',
    permitted: 'MCP Authorization, Step-Up Authorization Flow: no more than a few times',
    touches: ['for-ever', 'token-refused-later'],
    parts: () => ({ mostRounds: () => 1 }),
  },
  {
    id: 'link-shown-only',
    description: 'the page is not opened, and its user copies the link',
    permitted: 'RFC 6749 §4.1: the client directs the user agent, in which way is not said',
    touches: ['array', 'denied', 'no-error-flag'],
    parts: () => ({
      openUrl(url) {
        process.stdout.write(`Go to ${url} with your browser.\n`)
        return Promise.resolve(true)
      },
    }),
    configuration: { declares: { opens: false } },
  },
  {
    id: 'link-in-colour-twice',
    description: 'the link is shown twice: in colour, and behind words',
    permitted: 'RFC 6749 §4.1: the client directs the user agent, in which way is not said',
    touches: ['array', 'denied', 'for-ever'],
    parts: () => ({
      openUrl(url) {
        process.stdout.write(`Go to \u001b[36m${url}\u001b[39m.\n`)
        process.stdout.write(`\u001b]8;;${url}\u0007Sign in\u001b]8;;\u0007\n`)
        return Promise.resolve(true)
      },
    }),
    configuration: { declares: { opens: false } },
  },
  {
    id: 'content-in-colour',
    description: 'what the server wrote is broken up into coloured lines',
    permitted: 'SEP-1489, Client Behavior: how content is displayed is not said',
    touches: ['foreign-scheme', 'denied'],
    parts: () => ({
      shown: (text) => text.replaceAll(/\S+/g, (word) => `\u001b[1;33m${word}\u001b[0m\n`),
    }),
  },
  {
    id: 'one-server-only',
    description: 'its user has configured one server',
    permitted: 'MCP Architecture: a host connects to one or more servers',
    touches: ['array'],
    configuration: { target: { env: { MCP_SERVERS: '{"{mcp.name}": "{mcp.url}"}' } } },
  },
  {
    id: 'without-2026-07-28',
    description: 'it speaks no revision without a handshake',
    permitted: 'MCP Versioning: clients support one or more revisions',
    touches: ['array'],
    parts: () => ({ negotiation: () => 'legacy' }),
    configuration: { declares: { modern: undefined } },
  },
  {
    id: 'asked-in-2026-07-28-only',
    description: 'its vendor has it judged in the revision without a handshake',
    permitted: 'MCP Versioning: clients support one or more revisions',
    touches: ['array', 'two-servers', 'denied'],
    configuration: { target: { revision: '2026-07-28' } },
  },
]
