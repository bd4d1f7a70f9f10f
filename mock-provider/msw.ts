/** The mock provider as msw handlers: answers for issuers on any host, inside a test process and without a port. */
import { http, HttpResponse, type HttpHandler } from 'msw'
import { ConnectionClosed } from './http/connection-closed.ts'
import {
  createMockProvider,
  type MockProvider,
  type MockProviderOptions,
} from './provider/provider.ts'
import { BoundedMap } from './storage/bounded.ts'

/** The options of every issuer, and the origins that they are at. */
export interface MockIssuersOptions extends Omit<MockProviderOptions, 'issuer'> {
  /**
   * Origins to answer for, or what they match; a list of origins is one issuer, called by the first. Requests to others
   * are none of the handlers' business.
   */
  readonly answerFor: readonly (string | RegExp | readonly string[])[]
}

/** Issuers on any host, for msw. */
export interface MockIssuers {
  /** For `setupServer(...handlers)` or `server.use(...handlers)`. */
  readonly handlers: readonly HttpHandler[]
  /**
   * The provider of an origin, created if need be; every origin, or list of origins, is an issuer of its own.
   * @throws TypeError for an origin that is not answered for
   */
  at(origin: string): MockProvider
}

/** The most issuers at a time; one more forgets the oldest. */
const mostIssuers = 100

/**
 * Creates handlers that play the issuers on some hosts.
 *
 * @example
 * const issuers = createMockIssuers({ answerFor: ['https://login.example', /\.auth\.test$/] })
 * const server = setupServer(...issuers.handlers)
 * server.listen()
 * issuers.at('https://login.example').registerClient({ clientId: 'app', redirectUris: [callback] })
 */
export function createMockIssuers({ answerFor, ...options }: MockIssuersOptions): MockIssuers {
  const providers = new BoundedMap<string, MockProvider>(mostIssuers)
  const issuerOf = (origin: string) => {
    for (const each of answerFor) {
      if (each instanceof RegExp ? each.test(origin) : each === origin) return origin
      if (Array.isArray(each) && each.includes(origin)) return String(each[0])
    }
    return undefined
  }
  const at = (origin: string) => {
    const issuer = issuerOf(origin)
    if (issuer === undefined) throw new TypeError(`not answered for: ${origin}`)
    const known = providers.get(issuer)
    if (known) return known
    const created = createMockProvider({ ...options, issuer })
    providers.set(issuer, created)
    return created
  }
  const handler = http.all('*', async ({ request }) => {
    const { origin } = new URL(request.url)
    // msw asks the next handler
    if (issuerOf(origin) === undefined) return undefined
    try {
      const { status, headers, body } = await at(origin).fetch(request)
      return new HttpResponse(body, { status, headers })
    } catch (error) {
      if (error instanceof ConnectionClosed) return networkError()
      throw error
    }
  })
  return { handlers: [handler], at }
}

/**
 * What msw takes for a network error. `Response.error()` would do, but not once a server of
 * @hono/node-server has replaced the global `Response`: msw does not know it for one of its own then.
 */
function networkError(): Response {
  return Object.defineProperty(new Response(), 'type', { value: 'error' })
}
