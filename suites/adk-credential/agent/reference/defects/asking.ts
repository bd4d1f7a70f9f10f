/** Defects of asking and pausing. */

import { createHash } from 'node:crypto'
import { alterAuthorizationUrl, alterExchange, fieldsOf, formOf } from './alter.ts'
import type { Defect } from './defect.ts'

/** What is done rightly once, and otherwise from then on. */
function afterFirst<A extends readonly unknown[], R>(
  first: (...args: A) => R,
  later: (...args: A) => R,
): (...args: A) => R {
  let isLater = false
  return (...args) => {
    if (isLater) return later(...args)
    isLater = true
    return first(...args)
  }
}

export const askingDefects: readonly Defect[] = [
  {
    id: 'never-asks',
    description: 'the tool is run with a made-up token, and nobody is asked',
    parts: () => ({ tokenIn: () => 'anonymous' }),
  },
  {
    id: 'raw-credential-missing',
    description: 'the AuthConfig of a request has no rawAuthCredential',
    parts: (defaults) => ({
      authConfigOf(...args) {
        const { rawAuthCredential: _, ...rest } = defaults.authConfigOf(...args)
        return rest
      },
    }),
  },
  {
    id: 'paused-call-misnamed',
    description: 'functionCallId is new in every request',
    parts: (defaults) => ({
      requestSaid: (id, call, ...rest) =>
        defaults.requestSaid(id, { ...call, id: defaults.newId() }, ...rest),
    }),
  },
  {
    id: 'second-request-swallowed',
    description: 'of two calls that wait for credentials of their own, one is never asked for',
    parts: (defaults) => ({
      requestSaid: (id, call, ...rest) =>
        call.name === 'add_item'
          ? { role: 'model', parts: [{ text: 'One moment.' }] }
          : defaults.requestSaid(id, call, ...rest),
    }),
  },
  {
    id: 'requests-of-newest-session',
    description: 'of a user only what their newest session waits for can be answered',
    parts({ pauses, matchPending }) {
      const newest = new Map<string, string>()
      const asked = new Set<string>()
      return {
        pauses(session) {
          for (const { id } of session.pending) {
            if (!asked.has(id)) newest.set(session.userId, session.id)
            asked.add(id)
          }
          return pauses(session)
        },
        matchPending: (session, answer) =>
          (newest.get(session.userId) ?? session.id) === session.id
            ? matchPending(session, answer)
            : undefined,
      }
    },
  },
  {
    id: 'state-beside-differs',
    description: 'the state beside the authorization URL is another one than in it',
    parts: (defaults) => ({
      authConfigOf(...args) {
        const config = defaults.authConfigOf(...args)
        const exchanged = fieldsOf(config['exchangedAuthCredential'])
        const oauth2 = { ...fieldsOf(exchanged['oauth2']), state: defaults.newState() }
        return { ...config, exchangedAuthCredential: { ...exchanged, oauth2 } }
      },
    }),
  },
  {
    id: 'not-long-running',
    description: 'the request is not listed as long-running',
    parts: (defaults) => ({
      requestSaid: (...args) => ({ ...defaults.requestSaid(...args), longRunningToolIds: [] }),
    }),
  },
  {
    id: 'later-requests-not-long-running',
    description: 'only the first request of a process is listed as long-running',
    parts: (defaults) => ({
      requestSaid: afterFirst(defaults.requestSaid, (...args) => ({
        ...defaults.requestSaid(...args),
        longRunningToolIds: [],
      })),
    }),
  },
  {
    id: 'later-calls-misnamed',
    description: 'functionCallId is right in the first request of a process, and new in others',
    parts: (defaults) => ({
      requestSaid: afterFirst(defaults.requestSaid, (id, call, ...rest) =>
        defaults.requestSaid(id, { ...call, id: defaults.newId() }, ...rest),
      ),
    }),
  },
  {
    id: 'later-requests-without-scheme',
    description: 'the AuthConfig has its authScheme in the first request of a process alone',
    parts: (defaults) => ({
      authConfigOf: afterFirst(defaults.authConfigOf, (...args) => {
        const { authScheme: _, ...rest } = defaults.authConfigOf(...args)
        return rest
      }),
    }),
  },
  {
    id: 'goes-on-without-answer',
    description: 'the model is asked again while a credential is waited for',
    parts: () => ({ pauses: () => false }),
  },
  {
    id: 'deaf-while-pending',
    description: 'any message fails while a request is pending',
    parts: (defaults) => ({
      contentsOf(session) {
        if (session.pending.length > 0) throw new Error('an answer is waited for')
        return defaults.contentsOf(session)
      },
    }),
  },
  {
    id: 'talk-ends-request',
    description: 'what the user says while a request is pending has it forgotten',
    parts: (defaults) => ({
      contentsOf(session) {
        session.pending = []
        return defaults.contentsOf(session)
      },
    }),
  },
  {
    id: 'deaf-in-stream',
    description: 'any message fails while a request is pending, in a stream that begins well',
    parts: (defaults) => ({
      contentsOf(session) {
        if (session.pending.length > 0) throw new Error('an answer is waited for')
        return defaults.contentsOf(session)
      },
    }),
  },
  {
    id: 'open-results-repeated',
    description: 'results of tools that need no credential are sent twice',
    parts: (defaults) => ({
      resultsSaid: (results) =>
        defaults.resultsSaid(
          results.flatMap((each) => (each.call.name === 'tell_time' ? [each, each] : [each])),
        ),
    }),
  },
  {
    id: 'token-from-arguments',
    description: 'an access_token among the arguments of a call is used',
    parts: () => ({
      tokenIn: ({ access_token }) => (typeof access_token === 'string' ? access_token : undefined),
    }),
  },
  {
    id: 'token-of-arguments-preferred',
    description:
      'a credential is asked for, and an access_token among the arguments used all the same',
    parts: (defaults) => ({
      callApi(base, fetch, tool, values, accessToken) {
        const { access_token: given } = values
        const token = typeof given === 'string' ? given : accessToken
        return defaults.callApi(base, fetch, tool, values, token)
      },
    }),
  },
  // ------------------------------------------------------------- the authorization request
  {
    id: 'response-type-token',
    description: 'the authorization request asks for a token',
    parts: (defaults) =>
      alterAuthorizationUrl(defaults, (query) => query.set('response_type', 'token')),
  },
  {
    id: 'scopes-missing',
    description: 'no scope is asked for',
    parts: (defaults) => alterAuthorizationUrl(defaults, (query) => query.delete('scope')),
  },
  {
    id: 'more-scopes-than-needed',
    description: 'writing is asked for, too',
    parts: (defaults) =>
      alterAuthorizationUrl(defaults, (query) => query.set('scope', 'items:read items:write')),
  },
  {
    id: 'more-scopes-later',
    description: 'every request but the first of a process asks for writing, too',
    parts: (defaults) => ({
      authorizationUrl: afterFirst(
        defaults.authorizationUrl,
        alterAuthorizationUrl(defaults, (query) => query.set('scope', 'items:read items:write'))
          .authorizationUrl,
      ),
    }),
  },
  {
    id: 'no-pkce',
    description: 'neither challenge nor verifier is sent',
    parts: (defaults) => ({
      pkceParameters: async () => ({}),
      ...alterExchange(defaults, (send) => (url, init) => {
        const form = formOf(init?.body)
        form.delete('code_verifier')
        return send(url, { ...init, body: form })
      }),
    }),
  },
  {
    id: 'pkce-plain',
    description: 'the code challenge is the verifier itself',
    parts: () => ({
      pkceParameters: async (verifier) => ({
        code_challenge: verifier,
        code_challenge_method: 'plain',
      }),
    }),
  },
  {
    id: 'verifier-constant',
    description: 'all flows have the same verifier',
    parts: () => ({ newVerifier: () => 'a-verifier-that-never-changes-and-is-known-to-all' }),
  },
  {
    id: 'state-constant',
    description: 'all flows have the same state',
    parts: () => ({ newState: () => 'a-state-that-never-changes-and-is-known-to-all' }),
  },
  {
    id: 'random-alike-in-every-process',
    description: 'states and verifiers come from a generator that every process seeds alike',
    parts: () => {
      let count = 0
      const next = (what: string) =>
        createHash('sha256')
          .update(`${what} ${(count += 1)}`)
          .digest('base64url')
      return { newState: () => next('state'), newVerifier: () => next('verifier') }
    },
  },
  {
    id: 'client-secret-in-auth-url',
    description: 'the client secret is in the authorization URL',
    parts: (defaults) => ({
      authorizationUrl(config, ...rest) {
        const url = new URL(defaults.authorizationUrl(config, ...rest))
        url.searchParams.set('client_secret', config.clientSecret ?? '')
        return url.href
      },
    }),
  },
  {
    id: 'client-secret-in-auth-config',
    description: 'the AuthConfig of a request has the client secret',
    parts: (defaults) => ({
      authConfigOf(config, ...rest) {
        const whole = defaults.authConfigOf(config, ...rest)
        const raw = fieldsOf(whole['rawAuthCredential'])
        const oauth2 = { ...fieldsOf(raw['oauth2']), clientSecret: config.oauth.clientSecret }
        return { ...whole, rawAuthCredential: { ...raw, oauth2 } }
      },
    }),
  },
]
