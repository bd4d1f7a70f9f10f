/** Oddities: how the user is asked. */

import { spawn } from 'node:child_process'
import { piecesOf } from './wrapped.ts'
import type { Oddity } from './oddity.ts'

const interfaces = 'MCP Elicitation, User Interaction Model: no interaction model is mandated'

/** Scenarios in which a user is asked. */
const whereAsked = [
  'accept',
  'decline',
  'cancel',
  'required-error',
  'modern',
  'two-at-once',
  'unsafe-url-punycode',
]
export const showingOddities: readonly Oddity[] = [
  {
    id: 'behind-an-adapter',
    description: 'its user interface is no terminal, and is reached through an adapter',
    permitted: interfaces,
    touches: ['accept', 'decline', 'cancel', 'required-error', 'unsafe-url-javascript'],
    env: { USER_INTERFACE: 'adapter' },
    configuration: { drive: { terminal: undefined, adapter: true } },
  },
  {
    id: 'prompt-in-a-box',
    description: 'the prompt is drawn in a box, which breaks the URL up into lines',
    permitted: interfaces,
    touches: ['accept', 'required-error', 'modern', 'unsafe-url-punycode'],
    parts: ({ promptText }) => ({
      promptText: (...parts) => {
        const lines = promptText(...parts)
          .split('\n')
          .flatMap(piecesOf)
        const bar = '─'.repeat(42)
        const inner = lines.map((line) => `│ ${line.padEnd(40)} │`).join('\n')
        return `╭${bar}╮\n${inner}\n╰${bar}╯`
      },
    }),
  },
  {
    id: 'asks-whether-sure',
    description: 'a user who agrees is asked once more whether they are sure',
    permitted: interfaces,
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
    permitted: interfaces,
    touches: whereAsked,
    parts: ({ decide }) => ({
      async decide(user, text, url) {
        const decision = await user.ask('A server wants to open a page.', '')
        return decision === 'accept' ? decide(user, text, url) : decision
      },
    }),
  },
  {
    id: 'redraws-its-prompt',
    description: 'a prompt is drawn once more when it has been answered',
    permitted: interfaces,
    touches: ['accept', 'two-at-once', 'modern-two-at-once', 'required-error-two'],
    parts: ({ decide }) => ({
      async decide(user, text, url) {
        const decision = await decide(user, text, url)
        user.tell(`${text}\nOpen it? [y]es, [n]o, [c]ancel: ${decision}`)
        return decision
      },
    }),
  },
  {
    id: 'opens-page-of-its-own',
    description: 'when a tool is called it opens its own user interface in the browser',
    permitted: interfaces,
    touches: ['accept', 'decline', 'required-error', 'modern', 'two-at-once'],
    parts: ({ startCall, openUrl }) => ({
      startCall: (call) => openUrl('http://localhost:6274/calls').then(() => startCall(call)),
    }),
  },
  {
    id: 'one-warning-for-all',
    description: 'hosts in Punycode, addresses and http have the same warning',
    permitted: 'MCP Elicitation, Safe URL Handling: the words of a warning are not said',
    touches: ['unsafe-url-punycode'],
    parts: () => ({
      warningFor: (url) =>
        /^http:|:\/\/([^/]*xn--|[\d.]+[:/])/i.test(url)
          ? 'Careful: make sure that you know it.'
          : undefined,
    }),
  },
  {
    id: 'prompt-in-colour',
    description: 'the prompt has colours, and the parts of the URL have different ones',
    permitted: interfaces,
    touches: ['accept', 'required-error', 'second-server'],
    parts: ({ promptText }) => ({
      promptText: (server, request, warning) =>
        promptText(server, request, warning)
          .replaceAll(new URL(request.url).host, (host) => `\u001b[1;36m${host}\u001b[0m`)
          .replace(server, (name) => `\u001b[33m${name}\u001b[0m`),
    }),
  },
  {
    id: 'prompt-in-other-words',
    description: 'the prompt is in German, and names the server by its address',
    permitted: interfaces,
    touches: ['accept', 'second-server', 'unsafe-url-punycode'],
    parts: ({ createTransport }) => {
      const places = new Map<string, string>()
      return {
        createTransport(spec) {
          places.set(spec.name, spec.url === undefined ? spec.name : new URL(spec.url).host)
          return createTransport(spec)
        },
        promptText: (server, { url, message }, warning) =>
          `Der Server unter ${places.get(server)} bittet: ${message}\n${url}${
            warning === undefined ? '' : '\nVorsicht, dieser Name kann täuschen!'
          }`,
      }
    },
  },
  {
    id: 'asks-before-calls',
    description: 'the user is asked whether a tool may be called, before everything else',
    permitted: 'MCP Tools, User Interaction Model: a human may deny invocations',
    touches: ['accept', 'modern', 'required-error'],
    parts: () => ({
      mayCall: async (user, tool) =>
        (await user.ask(`${tool} is to be called.`, '', 'May it be? [y]es: ')) === 'accept',
    }),
    configuration: { drive: { terminal: { approval: { text: 'May it be? [y]es: ', line: 'y' } } } },
  },
  {
    id: 'browser-of-its-own',
    description:
      'it says that a browser was opened which nobody but itself knows, and which visits the page',
    permitted: 'MCP Elicitation, Safe URL Handling: how the URL is opened is up to the client',
    touches: ['accept', 'required-error', 'modern'],
    env: { USER_INTERFACE: 'adapter' },
    parts: () => ({
      openUrl(url) {
        process.stdout.write(`${JSON.stringify({ event: 'opened', url })}\n`)
        spawn(process.execPath, ['-e', 'fetch(process.argv[1])', url], { stdio: 'ignore' })
        return Promise.resolve(true)
      },
    }),
    configuration: { drive: { terminal: undefined, adapter: true } },
  },
  {
    id: 'opens-nothing',
    description: 'the URL is shown, and its user copies it into a browser',
    permitted: 'MCP Elicitation, URL Mode Elicitation Requests: the user navigates to the URL',
    touches: ['accept', 'required-error', 'modern', 'decline'],
    parts: () => ({ openUrl: () => Promise.resolve(true) }),
    configuration: { declares: { opens: false } },
  },
]
