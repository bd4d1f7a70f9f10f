/** Defects of what is made of answers. */

import type { Parts } from '../parts.ts'
import type { Pending } from '../session.ts'
import { CallFailure } from '../failure.ts'
import { alterCallback, fieldsOf, oauth2In } from './alter.ts'
import type { Defect } from './defect.ts'

/** Where requests stay, what is waited for is told by its result. */
const lacksResults: Parts['pauses'] = ({ pending, results }) =>
  pending.some(({ call }) => results[call.id] === undefined)

export const answerDefects: readonly Defect[] = [
  {
    id: 'any-answer-taken',
    description:
      'any functionResponse is taken for the answer to the newest request of its session',
    parts: () => ({ matchPending: ({ pending }) => pending.at(-1) }),
  },
  {
    id: 'request-found-by-state',
    description:
      'an answer is for the request with its state, in whatever session; all verifiers are the same',
    parts: (defaults) => {
      const all = new Map<string, Pending>()
      return {
        newVerifier: () => 'a-verifier-that-never-changes-and-is-known-to-all',
        pauses(session) {
          for (const each of session.pending) if (each.flow) all.set(each.flow.state, each)
          return defaults.pauses(session)
        },
        matchPending(session, answer) {
          const brought = defaults.readAnswer(answer)
          const state = brought?.callback.searchParams.get('state') ?? ''
          return all.get(state) ?? defaults.matchPending(session, answer)
        },
        claim(session, pending) {
          all.delete(pending.flow?.state ?? '')
          defaults.claim(session, pending)
        },
      }
    },
  },
  {
    id: 'any-pending-state-taken',
    description: 'a state that any request has is taken, and its code redeemed as for that request',
    parts: (defaults) => {
      const verifiers = new Map<string, string>()
      const wanted = new Map<string, string>()
      return {
        authorizationUrl: (oauth, flow, ...rest) => {
          verifiers.set(flow.state, flow.verifier)
          return defaults.authorizationUrl(oauth, flow, ...rest)
        },
        readCallback(config, flow, query, answer) {
          const verifier = verifiers.get(query.get('state') ?? '')
          if (verifier === undefined) return undefined
          wanted.set(query.get('code') ?? '', verifier)
          const known = new URLSearchParams(query)
          known.set('state', flow.state)
          return defaults.readCallback(config, flow, known, answer)
        },
        exchangeCode: (config, fetch, grant) =>
          defaults.exchangeCode(config, fetch, {
            ...grant,
            verifier: wanted.get(grant.parameters.get('code') ?? '') ?? grant.verifier,
          }),
      }
    },
  },
  {
    id: 'state-by-its-beginning',
    description: 'of the state of a callback only as much is compared as the right one is long',
    parts: (defaults) =>
      alterCallback(defaults, (query, state) => {
        if (query.get('state')?.startsWith(state)) query.set('state', state)
      }),
  },
  {
    id: 'state-case-ignored',
    description: 'the state of a callback is compared without regard to case',
    parts: (defaults) =>
      alterCallback(defaults, (query, state) => {
        if (query.get('state')?.toLowerCase() === state.toLowerCase()) query.set('state', state)
      }),
  },
  {
    id: 'state-ignored',
    description: 'the state of a callback with a code is not looked at',
    parts: (defaults) =>
      alterCallback(defaults, (query, state) => {
        if (query.has('code')) query.set('state', state)
      }),
  },
  {
    id: 'state-of-errors-ignored',
    description: 'the state of a callback with an error is not looked at',
    parts: (defaults) =>
      alterCallback(defaults, (query, state, _, issuer) => {
        if (!query.has('error')) return
        query.set('state', state)
        query.set('iss', query.get('iss') ?? issuer)
      }),
  },
  {
    id: 'state-from-answer',
    description: 'the state of the callback is compared with the one that the answer itself has',
    parts: (defaults) =>
      alterCallback(defaults, (query, state, answer) => {
        const said = oauth2In(answer)['state']
        if (query.get('state') === (said ?? null)) query.set('state', state)
      }),
  },
  {
    id: 'issuer-not-compared',
    description: 'the iss of the authorization response is not looked at',
    parts: (defaults) =>
      alterCallback(defaults, (query, _state, _answer, issuer) => query.set('iss', issuer)),
  },
  {
    id: 'endpoints-from-answer',
    description: 'the token endpoint is the one that the answer names',
    parts: () => ({
      endpointsFor({ oauth }, { response }) {
        const flows = fieldsOf(fieldsOf(response['authScheme'])['flows'])
        const { tokenUrl } = fieldsOf(flows['authorizationCode'])
        return typeof tokenUrl === 'string' ? { ...oauth, tokenEndpoint: tokenUrl } : oauth
      },
    }),
  },
  {
    id: 'bare-code-accepted',
    description: 'a code without its callback is redeemed',
    parts: (defaults) => {
      const bare = new Set<string>()
      return {
        readAnswer(answer) {
          const { authCode, redirectUri } = oauth2In(answer)
          if (typeof authCode !== 'string') return defaults.readAnswer(answer)
          bare.add(authCode)
          const callback = new URL(String(redirectUri))
          callback.searchParams.set('code', authCode)
          return { callback, redirectUri: String(redirectUri) }
        },
        ...alterCallback(defaults, (query, state, _, issuer) => {
          if (!bare.has(query.get('code') ?? '')) return
          query.set('state', state)
          query.set('iss', issuer)
        }),
      }
    },
  },
  {
    id: 'callback-anywhere',
    description: 'a callback is believed wherever it came',
    parts: () => ({ isAtRedirectUri: () => true }),
  },
  {
    id: 'malformed-answers-crash',
    description: 'an answer that makes no sense is a failure of the server',
    parts: (defaults) => ({
      readAnswer(answer) {
        const read = defaults.readAnswer(answer)
        if (!read) throw new TypeError('no callback')
        return read
      },
    }),
  },
  {
    id: 'requests-not-consumed',
    description: 'a request may be answered again and again',
    parts: () => ({ claim: () => undefined, pauses: lacksResults }),
  },
  {
    id: 'answered-again-with-another-code',
    description: 'a request may be answered again, with a code that was not brought before',
    parts: (defaults) => {
      const brought = new Set<string>()
      return {
        claim: () => undefined,
        pauses: lacksResults,
        readCallback(config, flow, query, answer) {
          const read = defaults.readCallback(config, flow, query, answer)
          const code = query.get('code')
          if (read === undefined || code === null) return read
          if (brought.has(code)) return undefined
          brought.add(code)
          return read
        },
      }
    },
  },
  {
    id: 'requests-forgotten-at-restart',
    description: 'a request is known only to the process that made it',
    parts: (defaults) => {
      const made = new Set<string>()
      return {
        requestSaid(id, ...rest) {
          made.add(id)
          return defaults.requestSaid(id, ...rest)
        },
        matchPending(session, answer) {
          const pending = defaults.matchPending(session, answer)
          return pending && made.has(pending.id) ? pending : undefined
        },
      }
    },
  },
  {
    id: 'repeated-answer-runs-tool',
    description:
      'an answer that is repeated runs the tool again, with the credential of the first time',
    parts: (defaults) => {
      const redeemed = new Map<string, ReturnType<Parts['exchangeCode']>>()
      return {
        claim: () => undefined,
        pauses: lacksResults,
        exchangeCode(config, fetch, grant) {
          const code = grant.parameters.get('code') ?? ''
          const known = redeemed.get(code) ?? defaults.exchangeCode(config, fetch, grant)
          redeemed.set(code, known)
          return known
        },
      }
    },
  },
  {
    id: 'empty-callback-is-success',
    description: 'a callback without code and error ends the call as a success',
    parts: (defaults) => ({
      readCallback: (config, flow, query, answer) =>
        query.has('code') || query.has('error')
          ? defaults.readCallback(config, flow, query, answer)
          : { error: 'nothing' },
      describeFailure: (error) =>
        error instanceof CallFailure && error.code === 'authorization-failed'
          ? { status: 'success' }
          : defaults.describeFailure(error),
    }),
  },
  {
    id: 'denial-is-pending',
    description: 'after a denial the model is told that authorization is pending',
    parts: (defaults) => ({
      describeFailure: (error) =>
        error instanceof CallFailure && error.code === 'denied'
          ? { result: 'Pending User Authorization.' }
          : defaults.describeFailure(error),
    }),
  },
  {
    id: 'denial-remembered',
    description: 'who has denied once is refused ever after',
    parts: (defaults) => {
      const denied = new Set<string>()
      let last = ''
      return {
        matchPending(session, answer) {
          last = session.userId
          return defaults.matchPending(session, answer)
        },
        readCallback(...args) {
          const read = defaults.readCallback(...args)
          if (read && 'error' in read && read.error === 'access_denied') denied.add(last)
          return read
        },
        recordOf(owner) {
          if (denied.has(owner.user)) throw new CallFailure('denied')
          return defaults.recordOf(owner)
        },
      }
    },
  },
  {
    id: 'authorization-errors-ignored',
    description: 'errors of the provider other than a denial are ignored',
    parts: (defaults) => ({
      readCallback(...args) {
        const read = defaults.readCallback(...args)
        return read && 'error' in read && read.error !== 'access_denied' ? undefined : read
      },
    }),
  },
  // ------------------------------------------------------------- the result
  {
    id: 'result-under-new-id',
    description: 'items that were waited for come under new ids',
    parts: (defaults) => {
      const waited = new Set<string>()
      return {
        requestSaid(id, call, ...rest) {
          waited.add(call.id)
          return defaults.requestSaid(id, call, ...rest)
        },
        resultsSaid: (results) =>
          defaults.resultsSaid(
            results.map((each) =>
              waited.has(each.call.id) && 'items' in each.response
                ? { ...each, call: { ...each.call, id: defaults.newId() } }
                : each,
            ),
          ),
      }
    },
  },
  {
    id: 'arguments-lost',
    description: 'a call is replayed without its arguments',
    parts: (defaults) => ({
      matchPending(session, answer) {
        const pending = defaults.matchPending(session, answer)
        return pending && { ...pending, call: { ...pending.call, args: {} } }
      },
    }),
  },
  {
    id: 'model-told-pending',
    description: 'the model is given what stood in for the result, ever after',
    parts: (defaults) => ({
      contentsOf: (session) => defaults.contentsOf({ ...session, results: {} }),
    }),
  },
]
