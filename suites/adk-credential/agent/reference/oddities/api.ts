/** Oddities of the API and of what is asked for. */

import { randomBytes } from 'node:crypto'
import type { Parts } from '../parts.ts'
import { TokenRefused, type Fields } from '../tools.ts'
import type { Oddity } from './oddity.ts'

/** Gives the model the results of tools in another form, and anything else as it is. */
function tellingResults({ contentsOf }: Parts, form: (result: Fields) => Fields): Partial<Parts> {
  return {
    contentsOf: (session) =>
      contentsOf(session).map(({ role, parts }) => ({
        role,
        parts: parts.map((part) => {
          const result = part['functionResponse']
          return typeof result === 'object' && result !== null ? form({ ...result }) : part
        }),
      })),
  }
}

/** As `str()` of Python gives it. */
function printed(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printed).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map((pair) => pair.map(printed).join(': '))
      .join(', ')}}`
  if (typeof value === 'string') return `'${value.replaceAll("'", "\\'")}'`
  return value === null
    ? 'None'
    : JSON.stringify(value).replace(/^[tf]/, (each) => each.toUpperCase())
}

const flow = 'ADK Authentication, Handle the interactive OAuth/OIDC flow (client-side)'

export const apiOddities: readonly Oddity[] = [
  {
    id: 'asks-by-responses',
    description: 'credentials are asked for by a functionResponse, and made at routes of their own',
    permitted: 'adk-rs Authenticated tools, The resolution pipeline',
    touches: [
      'two-configurations',
      'two-pauses',
      'two-pauses-with-other-arguments',
      'flow-of-another-user',
      'open-tool-beside',
      'answer-with-unknown-id',
      'answer-in-other-session',
      'malformed-answers',
      'denied-consent',
      'answer-replayed',
      'state-altered',
      'callback-replayed',
      'two-callbacks-at-once',
      'exchange-token-error-500',
      'authorization-error-server-error',
      'issuer-wrong',
      'stored-token',
      'restart-between-calls',
      'used-state-with-fresh-code',
      'denied-state-with-code',
    ],
    env: { DIALECT: 'response' },
    configuration: { api: { consent: { begin: '/consent/begin', complete: '/consent/complete' } } },
  },
  {
    id: 'behind-an-adapter',
    description: 'it serves nothing, and is reached through an adapter, in its own process',
    permitted: 'adk-rs Authenticated tools, OAuth2 sketch: begin_consent and complete_consent',
    touches: [
      'two-configurations',
      'open-tool-beside',
      'session-of-another-user',
      'two-pauses',
      'two-pauses-with-other-arguments',
      'flow-of-another-user',
      'answer-with-unknown-id',
      'answer-in-other-session',
      'malformed-answers',
      'denied-consent',
      'state-altered',
      'two-callbacks-at-once',
      'exchange-token-error-500',
      'issuer-wrong',
      'restart-between-calls',
      'callback-replayed-after-restart',
    ],
    env: { DIALECT: 'response', REACHED_BY: 'adapter' },
    configuration: { api: { consent: { adapter: true } } },
  },
  {
    id: 'asks-by-calls-behind-an-adapter',
    description: 'the agent asks by calls, and is run in the process of its adapter',
    permitted:
      'ADK authentication, Handle the interactive OAuth/OIDC flow (client-side): runs the agent directly',
    touches: [
      'two-configurations',
      'answer-with-unknown-id',
      'answer-in-other-session',
      'malformed-answers',
      'denied-consent',
      'state-altered',
      'issuer-wrong',
      'restart-between-calls',
      'callback-replayed-after-restart',
    ],
    env: { REACHED_BY: 'adapter' },
    configuration: { api: { adapter: true } },
  },
  {
    id: 'hexadecimal-states',
    description: 'a state is a number in hexadecimal, and read as one',
    permitted: 'RFC 6749 §10.10: 256 random bits, however they are written',
    touches: ['state-other-case', 'state-altered', 'authorization-requests-compared'],
    parts: (defaults) => ({
      newState: () => randomBytes(32).toString('hex'),
      readCallback(config, flow, query, answer) {
        const read = new URLSearchParams(query)
        const state = read.get('state')
        if (state !== null) read.set('state', state.toLowerCase())
        return defaults.readCallback(config, flow, read, answer)
      },
    }),
  },
  {
    id: 'asks-once-at-a-time',
    description:
      'while a tool waits for its user, another call of it ends with the word that they are asked already',
    permitted: `${flow}: the request that there is asks for what both need`,
    touches: [
      'two-pauses',
      'two-pauses-with-other-arguments',
      'callback-of-another-request',
      'two-configurations',
      'talk-while-pending',
    ],
    parts: () => ({
      insteadOfAsking: ({ pending }, { name }) =>
        pending.some(({ call }) => call.name === name)
          ? { error: 'The user was asked already, and has not answered.' }
          : undefined,
    }),
  },
  {
    id: 'one-turn-at-a-time',
    description: 'one worker takes the messages of all sessions one after the other',
    permitted: `${flow}: that sessions run side by side is not said`,
    touches: ['consent-and-complete', 'twelve-users', 'two-pauses', 'stored-token'],
    parts(defaults) {
      const [turns, others] = [defaults.createQueue(), defaults.createQueue()]
      return {
        createQueue: () => (about, work) =>
          about.startsWith('session ') ? turns('all', work) : others(about, work),
      }
    },
  },
  {
    id: 'callback-rebuilt',
    description: 'the callback is put together in another order before it is read',
    permitted: 'RFC 3986 §6.2.2; RFC 6749 §4.1.2: parameters have no order',
    touches: ['callback-decoded', 'callback-encoded', 'issuer-wrong'],
    parts: (defaults) => ({
      readAnswer(answer) {
        const read = defaults.readAnswer(answer)
        if (!read) return read
        const callback = new URL(read.callback)
        callback.search = new URLSearchParams([...callback.searchParams].toReversed()).toString()
        return { ...read, callback }
      },
    }),
  },
  {
    id: 'call-ids-reused',
    description: 'the calls of a model have the same ids in every session: call-1, call-2',
    permitted: `${flow}: ids are opaque, and those of a session`,
    touches: [
      'two-pauses',
      'two-pauses-with-other-arguments',
      'two-configurations',
      'twelve-users',
      'open-tool-beside',
      'stored-token',
    ],
    parts: () => ({ callId: (nth) => `call-${nth}` }),
  },
  {
    id: 'streams-its-events',
    description: 'it is driven by /run_sse, and texts come in pieces',
    permitted: flow,
    touches: ['talk-while-pending', 'malformed-answers', 'denied-consent', 'two-configurations'],
    configuration: { api: { streaming: true } },
  },
  {
    id: 'invocation-resumed',
    description: 'an answer that does not name the invocation that asked begins a new one',
    permitted: `${flow}: Authorization response with Resume feature`,
    touches: ['two-configurations', 'two-pauses', 'answer-with-unknown-id'],
    configuration: { api: { resume: true } },
    parts: (defaults) => ({
      matchPending(session, answer) {
        const asked = session.events.find(
          ({ longRunningToolIds: ids }) => Array.isArray(ids) && ids.includes(answer.id),
        )
        return asked && asked['invocationId'] === answer.invocationId
          ? defaults.matchPending(session, answer)
          : undefined
      },
    }),
  },
  {
    id: 'redirect-uri-appended',
    description: 'the authorization URL has no redirect URI: the client application appends it',
    permitted: flow,
    touches: ['callback-elsewhere', 'code-with-reserved-characters', 'two-configurations'],
    env: { REDIRECT_URI: '' },
  },
  {
    id: 'redirect-uri-empty',
    description: 'the authorization URL has an empty redirect URI, as that of the JavaScript ADK',
    permitted: flow,
    touches: ['callback-elsewhere'],
    env: { REDIRECT_URI: '' },
    parts: (defaults) => ({
      authorizationUrl: (...args) => `${defaults.authorizationUrl(...args)}&redirect_uri=`,
    }),
  },
  {
    id: 'arguments-in-snake-case',
    description: 'the arguments of a request are in snake_case, what is in them is not',
    permitted: flow,
    touches: ['paused', 'two-configurations', 'open-tool-beside'],
    parts: (defaults) => ({
      requestSaid: (id, call, authConfig, dialect) =>
        dialect === 'response'
          ? defaults.requestSaid(id, call, authConfig, dialect)
          : {
              role: 'user',
              longRunningToolIds: [id],
              parts: [
                {
                  functionCall: {
                    id,
                    name: 'adk_request_credential',
                    args: { function_call_id: call.id, auth_config: authConfig },
                  },
                },
              ],
            },
    }),
  },
  {
    id: 'asks-for-repeated-words',
    description: 'the placeholder has words of its own, and is no text of ADK',
    permitted: 'ADK Authentication, Authentication Logic within the Tool Function',
    touches: ['paused', 'denied-consent', 'open-tool-beside'],
    parts: (defaults) => ({
      resultsSaid: (results) =>
        defaults.resultsSaid(
          results.map((each) =>
            each.response['result'] === 'Pending User Authorization.'
              ? { ...each, response: { pending: true, message: 'Awaiting user authentication.' } }
              : each,
          ),
        ),
    }),
  },
  {
    id: 'secret-less-client',
    description: 'the client is public',
    permitted: 'RFC 6749 §2.1',
    touches: ['exchange-token-error-invalid-client', 'access-token-expired'],
    configuration: { provider: { client: { auth: ['none'] } } },
  },
  {
    id: 'result-is-a-text',
    description: 'the result of a tool is a text in words',
    permitted: 'ADK Authentication, Framework components',
    touches: ['stored-token', 'twelve-users', 'callback-without-code-and-error'],
    parts: () => ({
      describeResult: (result) => ({ result: `What was found: ${JSON.stringify(result)}` }),
    }),
  },
  {
    id: 'result-as-python-repr',
    description: 'the model is given results as Python prints them',
    permitted: 'ADK Authentication, Framework components: how a result is put to the model is open',
    touches: ['stored-token', 'two-configurations'],
    parts: (defaults) =>
      tellingResults(defaults, ({ id, name, response }) => ({
        functionResponse: { id, name, response: { result: printed(response) } },
      })),
  },
  {
    id: 'result-in-words-of-user-role',
    description: 'the model is told results by messages of its user',
    permitted: 'ADK Authentication, Framework components: how a result is put to the model is open',
    touches: ['stored-token', 'two-configurations'],
    parts: (defaults) =>
      tellingResults(defaults, ({ name, response }) => ({
        text: `For context: ${String(name)} gave ${JSON.stringify(response)}`,
      })),
  },
  {
    id: 'refused-token-reported',
    description: 'a token that the API refuses is thrown away, and the call ends with that',
    permitted: 'RFC 6750 §3.1',
    touches: ['grant-revoked', 'stored-token-resource-error-500', 'access-token-expired'],
    parts: (defaults) => {
      const refused = new Set<string>()
      return {
        onRefusal: () => 'fail',
        async callApi(base, fetch, tool, values, token) {
          return defaults.callApi(base, fetch, tool, values, token).catch((error: unknown) => {
            if (error instanceof TokenRefused) refused.add(token)
            throw error
          })
        },
        isExpired: (credential, now) =>
          refused.has(credential.accessToken) || defaults.isExpired(credential, now),
      }
    },
  },
]
