/** Oddities of the way to its users. */

import { createHash, randomUUID } from 'node:crypto'

import { alterReplay, alterShownUrl, alterStore, answered } from '../defects/alter.ts'
import type { Parts } from '../parts.ts'
import type { Call } from '../records.ts'
import type { Oddity } from './oddity.ts'

export const surfaceOddities: readonly Oddity[] = [
  {
    id: 'shown-on-request',
    description: 'its users ask for what there is to be shown, again and again',
    permitted: 'RAP OAuth, Flow: through whatever interface it provides',
    touches: [
      'authorize-and-complete',
      'talk-while-pending',
      'two-conversations',
      'reopened-while-pending',
    ],
    configuration: { surface: [{ poll: { path: '/conversations/{conversation}/events' } }] },
  },
  {
    id: 'page-differs-at-every-look',
    description: 'its users look at a page again and again, which has a nonce of its own each time',
    permitted: 'RAP OAuth, Flow: through whatever interface it provides',
    touches: ['authorize-and-complete', 'duplicate-oauth', 'forgotten-after-restart'],
    parts: (defaults) =>
      alterStore(defaults, (store) => ({
        eventsAfter(conversation, after) {
          const events = store.eventsAfter(conversation, after)
          const page = { text: JSON.stringify(events) }
          return Object.assign(events, { toJSON: () => ({ ...page, nonce: randomUUID() }) })
        },
      })),
    configuration: { surface: [{ poll: { path: '/conversations/{conversation}/events' } }] },
  },
  {
    id: 'shown-in-a-streamed-answer',
    description: 'a message is answered by a stream that ends when no call of its turn is pending',
    permitted: 'RAP OAuth, Flow: through whatever interface it provides',
    touches: [
      'authorize-and-complete',
      'talk-while-pending',
      'duplicate-oauth',
      'two-conversations',
    ],
    configuration: {
      messages: {
        http: {
          path: '/conversations/{conversation}/chat',
          body: { text: '{text}', user_id: '{user}' },
        },
      },
      surface: [{ response: true }],
    },
  },
  {
    id: 'links-shown-once',
    description: 'a link is shown when it comes, and not again to who comes back',
    permitted: 'RAP OAuth, Security Considerations: not kept beyond what is needed to surface it',
    touches: [
      'authorize-and-complete',
      'reopened-while-pending',
      'user-leaves-while-pending',
      'asked-while-away',
      'over-while-away',
    ],
    parts: (defaults) =>
      alterReplay(defaults, (events, missed) =>
        events.map((shown) => {
          const { url, ...event } = shown
          return url !== undefined && url === missed?.url ? shown : event
        }),
      ),
  },
  {
    id: 'on-a-console',
    description: 'every conversation has a process of its own, and is held on its console',
    permitted: 'RAP OAuth, Flow: a clickable link in Slack, a CLI prompt, a web UI',
    touches: [
      'authorize-and-complete',
      'two-conversations',
      'restart-while-pending',
      'toolset-without-name',
    ],
    env: { CONSOLE: '1' },
    configuration: {
      messages: { http: undefined, stdin: true },
      surface: [{ output: true }],
      declares: { cancel: undefined },
    },
  },
  {
    id: 'asks-on-standard-error',
    description: 'what the user has to do is printed on standard error, beside the conversation',
    permitted: 'RAP OAuth, Flow: a clickable link in Slack, a CLI prompt, a web UI',
    touches: ['authorize-and-complete', 'talk-while-pending', 'second-oauth', 'whole-run'],
    parts: (defaults) => ({
      ...framed(defaults, named),
      surfaceAuthUrl(call, authUrl) {
        process.stderr.write(`${authUrl}\n`)
        return defaults.surfaceAuthUrl(call, named(authUrl))
      },
    }),
    env: { CONSOLE: '1' },
    configuration: {
      messages: { http: undefined, stdin: true },
      surface: [{ output: true }, { output: 'stderr' }],
      declares: { cancel: undefined },
    },
  },
  {
    id: 'on-a-console-in-colour',
    description: 'a link is printed in a colour of its own',
    permitted: 'RAP OAuth, Flow: a clickable link in Slack, a CLI prompt, a web UI',
    touches: ['authorize-and-complete', 'url-escapes', 'second-oauth'],
    parts: (defaults) => framed(defaults, (url) => `\u001b[1;36m${url}\u001b[0m`),
    env: { CONSOLE: '1' },
    configuration: {
      messages: { http: undefined, stdin: true },
      surface: [{ output: true }],
      declares: { cancel: undefined },
    },
  },
  {
    id: 'links-in-quotation-marks',
    description: 'a link is shown behind a symbol and within typographic quotation marks',
    permitted: 'RAP OAuth, Flow: through whatever interface it provides',
    touches: ['authorize-and-complete', 'url-unicode', 'url-fragment', 'duplicate-oauth'],
    parts: (defaults) => framed(defaults, (url) => `\u{1f449}\u201c${url}\u201d.`),
  },
  {
    id: 'speaks-german-with-its-model',
    description: 'what the model is told of a pending call is said in German',
    permitted: 'RAP OAuth, Runtime Behavior: for example by injecting a status message',
    touches: ['talk-while-pending', 'talk-while-running', 'cancelled-while-pending'],
    parts: () => ({
      informModel: ({ functionName, callId, awaitsAuthorization }) =>
        awaitsAuthorization
          ? `Der Aufruf ${functionName} (${callId}) wartet auf die Freigabe durch den Benutzer.`
          : `Der Aufruf ${functionName} (${callId}) läuft noch.`,
    }),
  },
  {
    id: 'pending-notice-is-json',
    description: 'a pending call stands in the history with a status, as an object without error',
    permitted: 'RAP OAuth, Runtime Behavior: for example by injecting a status message',
    touches: ['talk-while-pending', 'talk-while-running', 'cancelled-while-pending'],
    parts: (defaults) => ({
      historyForModel: (messages, informModel) =>
        defaults.historyForModel(
          messages.map((message) => answered(message, statusOf)),
          informModel,
        ),
    }),
  },
]

/** Shows a link with something around it, and knows it again all the same. */
function framed(defaults: Parts, frame: (url: string) => string): Partial<Parts> {
  return {
    ...alterShownUrl(defaults, frame),
    matchCallback: (message, call) =>
      defaults.matchCallback(
        message.type === 'oauth' ? { ...message, auth_url: frame(message.auth_url) } : message,
        call,
      ),
  }
}

/** What stands for a link that is printed elsewhere. */
function named(url: string): string {
  return `link ${createHash('sha256').update(url).digest('hex')} on standard error`
}

function statusOf({ awaitsAuthorization }: Call): string {
  const status = awaitsAuthorization ? 'awaiting_authorization' : 'in_progress'
  return JSON.stringify({ error: null, status, completed: false })
}
