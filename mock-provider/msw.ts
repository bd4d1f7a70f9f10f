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
  /** Origins to answer for, or what they match. Requests to others are none of the handlers' business. */
  readonly answerFor: readonly (string | RegExp)[]
}

/** Issuers on any host, for msw. */
export interface MockIssuers {
  /** For `setupServer(...handlers)` or `server.use(...handlers)`. */
  readonly handlers: readonly HttpHandler[]
  /**
   * The provider of an origin, created if need be; every origin is an issuer of its own.
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
  const answers = (origin: string) =>
    answerFor.some((each) => (typeof each === 'string' ? each === origin : each.test(origin)))
  const at = (origin: string) => {
    const known = providers.get(origin)
    if (known) return known
    if (!answers(origin)) throw new TypeError(`not answered for: ${origin}`)
    const created = createMockProvider({ ...options, issuer: origin })
    providers.set(origin, created)
    return created
  }
  const handler = http.all('*', async ({ request }) => {
    const { origin } = new URL(request.url)
    // msw asks the next handler
    if (!answers(origin)) return undefined
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
