/** Shared ways to change what passes through a step, so that each defect states the change alone. */

import type { Parts } from '../parts.ts'
import type { Provider } from '../provider.ts'
import type { BoundFetch, FetchInit } from '../upstream.ts'

export type Message = Readonly<Record<string, unknown>>

/** Changes every message to a runtime on its way out. */
export function alterMessages(defaults: Parts, change: (message: Message) => Message) {
  return {
    deliver: (delivery, means) =>
      defaults.deliver({ ...delivery, message: change(delivery.message) }, means),
  } satisfies Partial<Parts>
}

/** Changes the text of every result. */
export function alterResults(defaults: Parts, change: (text: string) => string) {
  return alterMessages(defaults, (message) =>
    isResult(message) ? { ...message, text: change(String(message['text'])) } : message,
  )
}

/** Changes the URL to which every message goes. */
export function alterCallbackUrl(defaults: Parts, change: (url: string) => string) {
  return {
    deliver: (delivery, means) =>
      defaults.deliver({ ...delivery, url: change(delivery.url) }, means),
  } satisfies Partial<Parts>
}

/** Changes the authorization URL. */
export function alterAuthorizationUrl(
  defaults: Parts,
  change: (query: URLSearchParams, url: URL) => void,
) {
  return {
    buildAuthorizationUrl(provider, request) {
      const url = defaults.buildAuthorizationUrl(provider, request)
      change(url.searchParams, url)
      return url
    },
  } satisfies Partial<Parts>
}

/** Changes the form of the token request that redeems a code. */
export function alterExchange(
  defaults: Parts,
  change: (form: URLSearchParams, headers: Record<string, string>) => void,
) {
  return {
    exchangeCode: (provider, grant, now) =>
      defaults.exchangeCode(
        withFetch(provider, (url, init = {}) => {
          const form = new URLSearchParams(init.body instanceof URLSearchParams ? init.body : '')
          const headers = { ...init.headers }
          change(form, headers)
          return provider.fetch(url, { ...init, headers, body: form })
        }),
        grant,
        now,
      ),
  } satisfies Partial<Parts>
}

/** Reads the answer to the token request that redeems a code; what `read` throws ends the exchange. */
export function inspectTokenResponse(
  defaults: Parts,
  read: (body: Readonly<Record<string, unknown>>, text: string) => void,
) {
  return {
    exchangeCode: (provider, grant, now) =>
      defaults.exchangeCode(
        withFetch(provider, async (url, init) => {
          const response = await provider.fetch(url, init)
          const text = await response.clone().text()
          read(parseObject(text), text)
          return response
        }),
        grant,
        now,
      ),
  } satisfies Partial<Parts>
}

export function withFetch(provider: Provider, fetch: BoundFetch): Provider {
  return { ...provider, fetch }
}

/** Goes on to wherever it is redirected; `again` says what is sent there, by default a GET without anything. */
export function followingRedirects(
  send: BoundFetch,
  again: (init?: FetchInit) => RequestInit = () => ({}),
): BoundFetch {
  return async (url, init) => {
    const response = await send(url, init)
    const location = response.headers.get('location')
    return response.status === 307 && location ? fetch(location, again(init)) : response
  }
}

export function isResult(message: Message): boolean {
  return message['type'] === 'tool_result'
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

/** Never settles: what waits for it is lost. */
export function forever<T>(): Promise<T> {
  return new Promise(() => {})
}

/** The members of a JSON object; none where it is nothing of the kind. */
export function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** A page with more in its head. */
export async function withHead(page: Response, more: string): Promise<Response> {
  const text = await page.text()
  return new Response(text.replace('</head>', `${more}</head>`), page)
}
