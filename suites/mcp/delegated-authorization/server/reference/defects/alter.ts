/** Shared ways to change what passes through a step, so that each defect states the change alone. */

import type { AuthRequest } from '../ask-client.ts'
import type { BoundFetch } from '../bound-fetch.ts'
import type { Parts } from '../parts.ts'

/** Never settles: what waits for it is lost. */
export function forever<T>(): Promise<T> {
  return new Promise(() => {})
}

/** Changes `params` of `auth/request`. */
export function alterRequest(
  defaults: Parts,
  change: (params: AuthRequest) => Readonly<Record<string, unknown>>,
): Pick<Parts, 'describeRequest'> {
  return {
    // What a defect makes of them need not be right.
    describeRequest: (...args) => change(defaults.describeRequest(...args)) as AuthRequest,
  }
}

/** Changes the query of authorization requests. */
export function alterUrl(
  defaults: Parts,
  change: (query: URLSearchParams) => void,
): Pick<Parts, 'authorizationUrl'> {
  return {
    async authorizationUrl(...args) {
      const url = new URL(await defaults.authorizationUrl(...args))
      change(url.searchParams)
      return url.href
    },
  }
}

/** Sends the token request that redeems a code otherwise. */
export function alterExchange(
  defaults: Parts,
  wrap: (fetch: BoundFetch) => BoundFetch,
): Pick<Parts, 'exchangeCode'> {
  return {
    exchangeCode: (provider, grant) =>
      defaults.exchangeCode({ ...provider, fetch: wrap(provider.fetch) }, grant),
  }
}

/** The same with another form. */
export function alterForm(
  defaults: Parts,
  change: (form: URLSearchParams) => void,
): Pick<Parts, 'exchangeCode'> {
  return alterExchange(defaults, (fetch) => (url, init = {}) => {
    const form = new URLSearchParams(init.body instanceof URLSearchParams ? init.body : '')
    change(form)
    return fetch(url, { ...init, body: form })
  })
}

/** Changes the callback before it is judged. */
export function alterCallback(
  defaults: Parts,
  change: (query: URLSearchParams, state: string, issuer: string) => void,
): Pick<Parts, 'readCallback'> {
  return {
    readCallback(provider, flow, query) {
      const changed = new URLSearchParams(query)
      change(changed, flow.state, provider.server.issuer)
      return defaults.readCallback(provider, flow, changed)
    },
  }
}

/** Goes on to wherever it is redirected, with everything that was sent. */
export function followingRedirects(send: BoundFetch): BoundFetch {
  return async (url, init) => {
    const response = await send(url, init)
    const location = response.headers.get('location')
    return location === null ? response : send(location, init)
  }
}
