/** Lawful variations of this client, one at a time: what a conformance suite must not hold against it. */

import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import type { Parts } from './parts.ts'
import type { Oddity } from './variation.ts'

const shown = 'SEP-1028, Client Security Requirements: how the domain is displayed is open'

/** Scenarios in which a user is asked. */
const whereAsked = [
  'approve',
  'decline',
  'asked-again',
  'options',
  'unsafe-url-javascript',
  'two-servers',
]
export const oddities: readonly Oddity[] = [
  {
    id: 'behind-an-adapter',
    description: 'its user interface is no terminal, and is reached through an adapter',
    permitted: shown,
    touches: ['approve', 'decline', 'unsafe-url-javascript'],
    env: { USER_INTERFACE: 'adapter' },
    configuration: { drive: { terminal: undefined, adapter: true } },
  },
  {
    id: 'prompt-in-a-box',
    description: 'the prompt is drawn in a box, which breaks its texts up into lines',
    permitted: shown,
    touches: ['approve', 'decline'],
    parts: ({ promptText }) => ({
      promptText: (...args) => {
        const pieces = promptText(...args).match(/.{1,30}/g) ?? []
        const lines = pieces.map((piece) => `│ ${piece.padEnd(30)} │`)
        return ['╭' + '─'.repeat(32) + '╮', ...lines, '╰' + '─'.repeat(32) + '╯'].join('\n')
      },
    }),
  },
  {
    id: 'prompt-in-other-words',
    description: 'the prompt is in German, in colours, and shows the whole URL',
    permitted: shown,
    touches: ['approve', 'decline'],
    parts: () => ({
      promptText: (server, { url, message }) =>
        `\u001b[33m${server}\u001b[0m möchte Zugriff: ${message}\n\u001b[36m${url}\u001b[0m`,
    }),
  },
  {
    id: 'asks-whether-sure',
    description: 'a user who agrees is asked once more whether they are sure',
    permitted: shown,
    touches: whereAsked,
    parts: ({ decide }) => ({
      async decide(user, text, url) {
        const decision = await decide(user, text, url)
        return decision === 'accept' ? user.ask(`Are you sure? ${url}`, url) : decision
      },
    }),
  },
  {
    id: 'says-first-who-asks',
    description: 'a user is asked whether a server may ask for anything, and then shown what for',
    permitted: shown,
    touches: whereAsked,
    parts: ({ decide }) => ({
      async decide(user, text, url) {
        const decision = await user.ask('A server wants to open a page.', '')
        return decision === 'accept' ? decide(user, text, url) : decision
      },
    }),
  },
  {
    id: 'https-only',
    description: 'authorization URLs without TLS are refused',
    permitted: 'RFC 6749 §3.1: the authorization server has to require TLS',
    touches: ['approve', 'decline', 'options'],
    configuration: { declares: { httpsOnly: true } },
    parts: ({ isWebPage }) => ({ isWebPage: (url) => isWebPage(url) && url.startsWith('https:') }),
  },
  {
    id: 'opens-page-of-its-own',
    description: 'when a tool is called it opens its own user interface in the browser',
    permitted: 'SEP-1028, Client Security Requirements 2: authorization URLs are not opened before',
    touches: ['approve', 'decline', 'options'],
    parts: ({ startCall, openUrl }) => ({
      startCall: (call) => openUrl('http://localhost:6274/calls').then(() => startCall(call)),
    }),
  },
  {
    id: 'opens-nothing',
    description: 'the URL is shown, and its user copies it into a browser',
    permitted: 'SEP-1028, OAuth Callback Capture: the browser is the user’s',
    touches: ['approve', 'options', 'decline'],
    // With a port that is known before, since what is shown is what is opened.
    parts: ({ promptText, selectRedirect }) => {
      const port = 8400 + Math.floor(Math.random() * 500)
      return {
        selectRedirect(request) {
          const found = selectRedirect(request)
          return found && { port, ...found, template: found.template.replace('{port}', `${port}`) }
        },
        promptText(server, request) {
          const found = selectRedirect(request)
          const url = new URL(request.url)
          if (found)
            url.searchParams.set('redirect_uri', found.template.replace('{port}', `${port}`))
          return `${promptText(server, request)}\n  Go to: ${url.href} \n`
        },
        openUrl: () => Promise.resolve(true),
      }
    },
    configuration: { declares: { opens: false } },
  },
  {
    id: 'link-after-consent',
    description: 'the URL is shown when its user has agreed, and copied then',
    permitted: 'SEP-1028, Client Security Requirements: the domain is displayed before',
    touches: ['approve', 'options', 'decline', 'asked-again'],
    parts: () => ({ openUrl: showUrl }),
    configuration: { declares: { opens: false } },
  },
  {
    id: 'asks-before-calls',
    description: 'the user is asked whether a tool may be called, before everything else',
    permitted: 'MCP Tools, User Interaction Model: a human may deny invocations',
    touches: ['approve', 'decline'],
    parts: () => ({
      mayCall: async (user, tool) =>
        (await user.ask(`${tool} is to be called.`, '', 'May it be? [y]es: ')) === 'accept',
    }),
    configuration: { drive: { terminal: { approval: { text: 'May it be? [y]es: ', line: 'y' } } } },
  },
  {
    id: 'listens-before-consent',
    description: 'the listener is there before the user is asked',
    permitted: 'SEP-1028, OAuth Callback Capture: a temporary server; when it starts is open',
    touches: ['approve', 'decline', 'options'],
    parts: ({ authorize, listen: begin }) => ({
      async authorize(server, request, user, parts) {
        const redirect = parts.isWebPage(request.url) ? parts.selectRedirect(request) : undefined
        if (!redirect) return authorize(server, request, user, parts)
        const state = new URL(request.url).searchParams.get('state')
        const early = await begin(redirect, state, parts)
        try {
          const listen = () => Promise.resolve(early)
          return await authorize(server, request, user, { ...parts, listen })
        } finally {
          await early.close().catch(() => undefined)
        }
      },
    }),
  },
  {
    id: 'ends-at-a-stray-callback',
    description: 'whatever comes first ends the flow; what is not the callback is not returned',
    permitted: 'SEP-1028, Client Security Requirements: whether to go on listening is open',
    touches: [
      'stray-callbacks',
      'stray-errors',
      'stray-later',
      'stray-of-another-server',
      'stray-paths',
      'stray-without-code',
      'stray-without-state',
    ],
    parts: ({ isCallback, resultOf }) => {
      let isGenuine = false
      return {
        isCallback(path, expected) {
          isGenuine = isCallback(path, expected)
          return true
        },
        resultOf: (callback) => (isGenuine ? resultOf(callback) : {}),
      }
    },
  },
  {
    id: 'cannot-listen-at-fixed-port',
    description: 'it listens at ports that the system chooses alone, and refuses everything else',
    permitted: 'SEP-1028, Redirect URI Selection: which redirect URIs a client supports is open',
    touches: [
      'no-options',
      'options',
      'options-before-that-of-the-url',
      'options-fixed-port',
      'options-fixed-port-first',
      'options-localhost-first',
      'options-unsupported',
    ],
    parts: ({ selectRedirect }) => ({
      selectRedirect: ({ url, redirect_uri_options: options = [], ...request }) => {
        const open = options.filter((each) => each.includes('{port}'))
        return open.length === 0
          ? undefined
          : selectRedirect({ ...request, url, redirect_uri_options: open })
      },
    }),
  },
  {
    id: 'listens-at-localhost',
    description: 'an option at localhost is supported as one at 127.0.0.1 is',
    permitted: 'SEP-1028, Redirect URI Selection: which redirect URIs a client supports is open',
    touches: ['options-localhost', 'options-localhost-first', 'options-unsupported'],
    parts: ({ selectRedirect }) => ({
      selectRedirect(request) {
        const { redirect_uri_options: options = [] } = request
        const first = options.find((each) => /^http:\/\/(127\.0\.0\.1|localhost):/.test(each))
        return first?.startsWith('http://localhost:')
          ? { template: first }
          : selectRedirect(request)
      },
    }),
  },
  {
    id: 'hangs-up-on-strays',
    description: 'what is not the callback is hung up on',
    permitted: 'SEP-1028, Client Security Requirements: what else is answered is open',
    touches: ['stray-callbacks', 'stray-paths', 'stray-without-code'],
    parts: () => ({ refuse: (response) => void response.destroy() }),
  },
  {
    id: 'listener-takes-one-connection',
    description: 'the listener takes one connection, whatever that brings',
    permitted: 'SEP-1028, OAuth Callback Capture: a temporary server; for how long is open',
    touches: ['approve', 'options', 'denied', 'decline', 'listener-interfaces', 'stray-paths'],
    parts: takesOneConnection,
  },
  {
    id: 'link-and-one-connection',
    description: 'the URL is shown when its user has agreed, and the listener takes one connection',
    permitted: 'SEP-1028, OAuth Callback Capture: the browser is the user’s; a temporary server',
    touches: ['approve', 'options', 'denied', 'asked-again', 'listener-interfaces'],
    parts: (defaults) => ({ ...takesOneConnection(defaults), openUrl: showUrl }),
    configuration: { declares: { opens: false } },
  },
  {
    id: 'one-authorization-at-a-time',
    description: 'while its user authorizes a server, others have to wait',
    permitted: 'MCP Base Protocol, Requests: when a request is answered is open',
    touches: ['two-servers', 'asked-again', 'approve'],
    parts: ({ authorize }) => {
      let before: Promise<unknown> = Promise.resolve()
      return {
        authorize(...args) {
          const next = before.then(() => authorize(...args))
          before = next.catch(() => undefined)
          return next
        },
      }
    },
  },
  {
    id: 'second-probe',
    description: 'it connects twice, and the first connection declares nothing',
    permitted: 'MCP Lifecycle: a client may begin as many sessions as it likes',
    touches: ['approve'],
    parts: ({ createTransport }) => ({
      createTransport(spec) {
        if (spec.url !== undefined) void probe(spec.url)
        return createTransport(spec)
      },
    }),
  },
]

function showUrl(url: string): Promise<boolean> {
  process.stdout.write(`Please go to <${url}>.\n`)
  return Promise.resolve(true)
}

/** Whoever connects ends the flow; what they bring is returned if it is the callback. */
function takesOneConnection({ isCallback, resultOf }: Parts): Partial<Parts> {
  return {
    async listen({ template, port = 0 }, state, steps) {
      let take: (url: string) => void = () => {}
      const callback = new Promise<string>((resolve) => {
        take = resolve
      })
      const server = createServer((socket) => {
        server.close()
        socket.once('error', () => socket.destroy())
        socket.once('close', () => take(''))
        socket.once('data', (data) => {
          const [, path = ''] = String(data).split(' ')
          const { pathname } = new URL(redirectUri)
          const url = new URL(redirectUri).origin + path
          const end = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'
          socket.end(end, () => take(isCallback(path, { path: pathname, state }) ? url : ''))
        })
      })
      server.listen(port, steps.host())
      await once(server, 'listening')
      const { port: own } = server.address() as AddressInfo
      const redirectUri = template.replace('{port}', String(own))
      const close = async (): Promise<void> => void server.close()
      return { redirectUri, callback, close }
    },
    resultOf: (callback) => (callback === '' ? {} : resultOf(callback)),
  }
}

async function probe(url: string): Promise<void> {
  const clientInfo = { name: 'probe', version: '0' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  }).catch(() => undefined)
}
