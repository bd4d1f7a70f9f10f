/** Defects of the token request and of what follows it. */

import { CallFailure } from '../failure.ts'
import type { Credential } from '../oauth.ts'
import type { BoundFetch } from '../bound-fetch.ts'
import { alterExchange, fieldsOf, formOf } from './alter.ts'
import type { Parts } from '../parts.ts'
import type { Fields } from '../tools.ts'
import type { Defect } from './defect.ts'

/** Looks at the answer of the token endpoint before it is read. */
const inspecting =
  (look: (body: Readonly<Record<string, unknown>>) => void) =>
  (fetch: BoundFetch): BoundFetch =>
  async (url, init) => {
    const answer = await fetch(url, init)
    const copy = answer.clone()
    if (answer.ok) look(fieldsOf(await copy.json().catch(() => undefined)))
    return answer
  }

const known = ['access_token', 'token_type', 'expires_in', 'scope', 'refresh_token', 'id_token']

const failuresOfFlow = [
  'denied',
  'authorization-failed',
  'exchange-refused',
  'token-request-failed',
]

/** Gives a result of its own for a flow that failed. */
function insteadOfFailure(defaults: Parts, result: Fields): Pick<Parts, 'describeFailure'> {
  return {
    describeFailure: (error) =>
      error instanceof CallFailure && failuresOfFlow.includes(error.code)
        ? result
        : defaults.describeFailure(error),
  }
}

export const exchangeDefects: readonly Defect[] = [
  {
    id: 'exchange-failure-crashes',
    description: 'a failed exchange is a failure of the server',
    parts: (defaults) => ({
      async exchangeCode(...args) {
        try {
          return await defaults.exchangeCode(...args)
        } catch (error) {
          throw new TypeError('no token', { cause: error })
        }
      },
    }),
  },
  {
    id: 'odd-token-answers-crash',
    description: 'a token answer with an unusual member is a failure of the server',
    parts: (defaults) => ({
      async exchangeCode(config, fetch, grant) {
        let odd = false
        const look = inspecting((body) => {
          odd = typeof body['expires_in'] === 'string' || body['refresh_token'] === null
        })
        const exchanged = defaults.exchangeCode(config, look(fetch), grant)
        await exchanged.catch(() => undefined)
        if (odd) throw new TypeError('an odd answer')
        return exchanged
      },
    }),
  },
  {
    id: 'strict-token-answers',
    description:
      'a token answer without expires_in, with unknown members or in lower case is refused',
    parts: (defaults) =>
      alterExchange(
        defaults,
        inspecting((body) => {
          const isUsual =
            'expires_in' in body &&
            body['token_type'] === 'Bearer' &&
            Object.keys(body).every((name) => known.includes(name))
          if (!isUsual) throw new TypeError('unusual')
        }),
      ),
  },
  {
    id: 'token-type-ignored',
    description: 'a token of whichever type is used as a bearer token',
    parts: (defaults) =>
      alterExchange(defaults, (fetch) => async (url, init) => {
        const answer = await fetch(url, init)
        const text = await answer.text()
        return new Response(text.replace(/"token_type":"[^"]*"/, '"token_type":"Bearer"'), answer)
      }),
  },
  {
    id: 'redirects-followed',
    description: 'the token request follows redirects',
    parts: (defaults) =>
      alterExchange(defaults, () => (url, init = {}) => {
        const { method = 'GET', headers = {}, body = null } = init
        return fetch(url, { method, headers, body, signal: AbortSignal.timeout(3000) })
      }),
  },
  {
    id: 'code-not-encoded',
    description: 'the code is not encoded in the token request',
    parts: (defaults) =>
      alterExchange(defaults, (fetch) => (url, init = {}) => {
        const form = formOf(init.body)
        const code = form.get('code') ?? ''
        form.delete('code')
        const headers = { ...init.headers, 'content-type': 'application/x-www-form-urlencoded' }
        return fetch(url, { ...init, headers, body: `${form.toString()}&code=${code}` })
      }),
  },
  {
    id: 'redirect-uri-differs',
    description: 'the token request has another redirect URI',
    parts: (defaults) => ({
      exchangeCode: (config, fetch, grant) =>
        defaults.exchangeCode(config, fetch, { ...grant, redirectUri: `${grant.redirectUri}/` }),
    }),
  },
  {
    id: 'code-redeemed-twice',
    description: 'every code is redeemed a second time',
    parts: (defaults) => ({
      async exchangeCode(...args) {
        const credential = await defaults.exchangeCode(...args)
        await defaults.exchangeCode(...args).catch(() => undefined)
        return credential
      },
    }),
  },
  {
    id: 'exchange-repeated',
    description: 'an exchange that failed is tried again with the same code',
    parts: (defaults) => ({
      exchangeCode: (...args) =>
        defaults.exchangeCode(...args).catch(() => defaults.exchangeCode(...args)),
    }),
  },
  {
    id: 'failure-made-up',
    description: 'a flow that failed gives an empty result, as if nothing were there',
    parts: (defaults) => insteadOfFailure(defaults, { items: [] }),
  },
  {
    id: 'failure-called-success',
    description: 'a flow that failed gives an empty result with the status of a success',
    parts: (defaults) => insteadOfFailure(defaults, { status: 'ok', items: [] }),
  },
  {
    id: 'result-made-up',
    description: 'the API is not called: the result is empty',
    parts: () => ({ callApi: async () => ({ items: [] }) }),
  },
  {
    id: 'retry-failure-crashes',
    description: 'a failure of the API is a failure of the server',
    parts: (defaults) => ({
      describeFailure(error) {
        const ofApi = ['service-failed', 'token-refused', 'scope-refused']
        if (error instanceof CallFailure && ofApi.includes(error.code)) throw error
        return defaults.describeFailure(error)
      },
    }),
  },
  {
    id: 'first-token-for-ever',
    description: 'what a user authorizes for the second time does not replace what there was',
    parts: (defaults) => {
      const kept = new Map<string, Credential>()
      return exchangingFor(defaults, (user, fresh) => {
        const credential = kept.get(user) ?? fresh
        kept.set(user, credential)
        return credential
      })
    },
  },
  {
    id: 'second-consent-crashes',
    description: 'the second time that a user has authorized is a failure of the server',
    parts: (defaults) => {
      const authorized = new Set<string>()
      return exchangingFor(defaults, (user, credential) => {
        if (authorized.has(user)) throw new TypeError('again')
        authorized.add(user)
        return credential
      })
    },
  },
]

/** Alters what becomes of a credential, knowing whose it is. */
function exchangingFor(
  defaults: Parts,
  becomes: (user: string, credential: Credential) => Credential,
): Partial<Parts> {
  let last = ''
  return {
    matchPending(session, answer) {
      last = session.userId
      return defaults.matchPending(session, answer)
    },
    async exchangeCode(...args) {
      const user = last
      return becomes(user, await defaults.exchangeCode(...args))
    },
  }
}
