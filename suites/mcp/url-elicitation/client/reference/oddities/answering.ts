/** Oddities: how the server is answered, and when calls are made again. */

import { setTimeout as delay } from 'node:timers/promises'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client'
import { altering, asFields, isRetry } from '../alter.ts'
import type { Parts } from '../parts.ts'
import type { Decision, UrlRequest, UserInterface } from '../work.ts'
import type { Oddity } from './oddity.ts'

const completion = 'MCP Elicitation, Completion Notifications for URL Mode Elicitation'

export const answeringOddities: readonly Oddity[] = [
  {
    id: 'completion-closes-prompt',
    description: 'a prompt is closed when the server says that its elicitation is complete',
    permitted: `${completion}: clients may update the user interface`,
    touches: ['complete-early', 'complete-unknown'],
    parts: ({ consent, onComplete }) => {
      const close = new Map<string, () => void>()
      return {
        consent: (server, request, ...rest) =>
          Promise.race([
            consent(server, request, ...rest),
            new Promise<Decision>((resolve) => {
              close.set(`${server} ${request.elicitationId}`, () => resolve('cancel'))
            }),
          ]),
        onComplete(id, completions, server) {
          close.get(`${server} ${id}`)?.()
          onComplete(id, completions, server)
        },
      }
    },
  },
  {
    id: 'unsafe-url-is-an-error',
    description: 'a URL that is no web page is answered by an error',
    permitted: 'MCP Elicitation, Safe URL Handling: how URLs are refused is not said',
    touches: ['unsafe-url-javascript', 'unsafe-url-data'],
    parts: ({ consent, isWebPage }) => ({
      consent(server, request, ...rest) {
        if (isWebPage(request.url)) return consent(server, request, ...rest)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'only web pages are opened')
      },
    }),
  },
  {
    id: 'punycode-refused',
    description: 'a host in Punycode is not opened at all',
    permitted: 'MCP Elicitation, Safe URL Handling: a refusal is more than a warning',
    touches: ['unsafe-url-punycode'],
    parts: ({ isWebPage }) => ({
      isWebPage: (url) => isWebPage(url) && !new URL(url).hostname.includes('xn--'),
    }),
  },
  {
    id: 'waits-for-its-user',
    description: 'a call is made again when its user says that they have finished',
    permitted: `${completion}: manual controls that let the user retry`,
    touches: [
      'required-error',
      'complete-never',
      'modern',
      'modern-asked-twice',
      'modern-second-without-state',
    ],
    configuration: { drive: { terminal: { retry: 'y' } } },
    // The request of an older revision is answered at once.
    parts: ({ consent }) =>
      untilFinished(consent, ({ elicitationId }) => elicitationId === undefined),
  },
  {
    id: 'accepts-when-its-user-is-back',
    description: 'a request is accepted when its user says that they have finished',
    permitted: 'MCP Elicitation, Response Actions: how soon a client answers is left to it',
    touches: ['accept', 'second-server', 'two-at-once', 'modern-two-at-once', 'required-error-two'],
    configuration: { drive: { terminal: { retry: 'y' } } },
    parts: ({ consent }) => untilFinished(consent, () => true),
  },
  {
    id: 'one-question-at-a-time',
    description:
      'whoever is asked for two URLs is asked for the second when they say that they have finished with the first',
    permitted: 'MCP Elicitation, Response Actions: how soon a client answers is left to it',
    touches: ['accept', 'two-at-once', 'modern-two-at-once', 'required-error-two'],
    configuration: { drive: { terminal: { retry: 'y' } } },
    parts({ consent }) {
      const { consent: finished = consent, ...rest } = untilFinished(consent, () => true)
      let before: Promise<unknown> = Promise.resolve()
      return {
        ...rest,
        consent(...asked) {
          const decision = before.then(() => finished(...asked))
          before = decision.catch(() => undefined)
          return decision
        },
      }
    },
  },
  {
    id: 'https-only',
    description: 'URLs without TLS are refused',
    permitted: 'MCP Elicitation, Safe URL Handling: servers use https URLs outside of development',
    touches: ['accept', 'decline', 'required-error', 'modern', 'unsafe-url-punycode'],
    configuration: { declares: { httpsOnly: true } },
    parts: ({ isWebPage }) => ({ isWebPage: (url) => isWebPage(url) && url.startsWith('https:') }),
  },
  {
    id: 'last-required-first',
    description: 'of the URLs that the error -32042 requires the last one is shown first',
    permitted: 'MCP Elicitation, URL Elicitation Required Error: the list has no order',
    touches: ['required-error-two'],
    parts: () => ({ asksFor: (requests) => requests.toReversed() }),
  },
  {
    id: 'retries-at-once',
    description: 'after the error -32042 and consent the call is made again without waiting',
    permitted: `${completion}: clients may wait for it`,
    touches: ['required-error', 'required-error-for-ever', 'complete-never'],
    parts: () => ({ waitForCompletion: () => Promise.resolve() }),
  },
  {
    id: 'polls-until-done',
    description:
      'after the error -32042 the call is made again every 700 ms, and nobody is asked again for what they agreed to',
    permitted: `${completion}: clients may wait for it`,
    touches: [
      'required-error',
      'required-error-for-ever',
      'required-error-two',
      'required-error-asked-twice',
      'required-error-complete-unknown',
      'complete-never',
    ],
    parts({ consent }) {
      const agreed = new Set<string>()
      return {
        async consent(server, request, ...rest) {
          const { elicitationId = '' } = request
          if (agreed.has(elicitationId)) return 'accept'
          const decision = await consent(server, request, ...rest)
          if (decision === 'accept' && elicitationId !== '') agreed.add(elicitationId)
          return decision
        },
        mostRounds: () => 1000,
        waitForCompletion: () => delay(700),
      }
    },
  },
  {
    id: 'refusal-ends-call',
    description: 'where the user refuses, a call of 2026-07-28 is not made again',
    permitted:
      'MCP Multi Round-Trip Requests 2026-07-28, Server Requirements (Basic Workflow): servers do not assume that clients retry',
    touches: ['modern-decline', 'modern-cancel'],
    parts: (defaults) =>
      altering(defaults, {
        outgoing(message) {
          const answers = asFields(asFields(message['params'])['inputResponses'])
          const refused = Object.values(answers).some(
            (answer) => asFields(answer)['action'] !== 'accept',
          )
          return isRetry(message) && refused ? undefined : message
        },
      }),
  },
  {
    id: 'forms-are-shown',
    description: 'form mode is declared, too, and a form waits for what its user fills in',
    permitted: 'MCP Elicitation, Capabilities: both modes may be declared',
    touches: ['undeclared-mode', 'mode-left-out'],
    parts: (defaults) =>
      withForms(defaults, (server, user) => user.ask(`${server} asks`, '', 'Nickname: ')),
  },
  {
    id: 'forms-as-well',
    description: 'form mode is declared, too, and every form declined',
    permitted: 'MCP Elicitation, Capabilities: both modes may be declared',
    touches: ['undeclared-mode', 'mode-left-out'],
    parts: (defaults) => withForms(defaults, () => Promise.resolve('decline')),
  },
]

/** Asks users who agreed whether they have finished: before the answer to some, before the next call after others. */
function untilFinished(
  consent: Parts['consent'],
  beforeAnswer: (request: UrlRequest) => boolean,
): Partial<Parts> {
  const finished = { ask: (): Promise<unknown> => Promise.resolve() }
  return {
    async consent(server, request, user, parts) {
      const decision = await consent(server, request, user, parts)
      finished.ask = () => user.ask('', request.url, 'Press y when you have finished: ')
      if (decision === 'accept' && beforeAnswer(request)) {
        await finished.ask()
        finished.ask = () => Promise.resolve()
      }
      return decision
    },
    waitForCompletion: () => finished.ask(),
  }
}

/** Declares both modes, and does something with forms. */
function withForms(
  defaults: Parts,
  onForm: (server: string, user: UserInterface) => Promise<Decision>,
): Partial<Parts> {
  return {
    capabilities: () => ({ elicitation: { url: {}, form: {} } }),
    urlRequestOf: (params) =>
      params['mode'] === 'url' ? defaults.urlRequestOf(params) : { url: '', message: '' },
    consent: (server, request, user, parts) =>
      request.url === '' ? onForm(server, user) : defaults.consent(server, request, user, parts),
  }
}
