/** Shared ways to change what passes through a step, so that each defect states the change alone. */

import type { Answer } from '../answers.ts'
import type { BoundFetch } from '../bound-fetch.ts'
import type { Parts } from '../parts.ts'
import type { Fields } from '../tools.ts'

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** Changes the query of authorization requests. */
export function alterAuthorizationUrl(
  defaults: Parts,
  change: (query: URLSearchParams) => void,
): Pick<Parts, 'authorizationUrl'> {
  return {
    authorizationUrl(...args) {
      const url = new URL(defaults.authorizationUrl(...args))
      change(url.searchParams)
      return url.href
    },
  }
}

/** Changes the callback before it is judged; the answer that brought it may be looked at. */
export function alterCallback(
  defaults: Parts,
  change: (query: URLSearchParams, state: string, answer: Answer, issuer: string) => void,
): Pick<Parts, 'readCallback'> {
  return {
    readCallback(config, flow, query, answer) {
      const changed = new URLSearchParams(query)
      change(changed, flow.state, answer, config.issuer)
      return defaults.readCallback(config, flow, changed, answer)
    },
  }
}

/** Sends the token request that redeems a code otherwise. */
export function alterExchange(
  defaults: Parts,
  wrap: (fetch: BoundFetch) => BoundFetch,
): Pick<Parts, 'exchangeCode'> {
  return {
    exchangeCode: (config, fetch, grant) => defaults.exchangeCode(config, wrap(fetch), grant),
  }
}

/** The form of a token request, as text. */
export function formOf(body: unknown): URLSearchParams {
  return new URLSearchParams(body instanceof URLSearchParams ? body : String(body))
}

/** What an answer says of OAuth. */
export function oauth2In({ response }: Answer): Fields {
  return fieldsOf(fieldsOf(response['exchangedAuthCredential'])['oauth2'])
}

/** Goes on to wherever it is redirected, with everything that was sent. */
export function followingRedirects(send: BoundFetch): BoundFetch {
  return async (url, init) => {
    const response = await send(url, init)
    const location = response.headers.get('location')
    return location === null ? response : send(location, init)
  }
}
