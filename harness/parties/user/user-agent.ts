/** The user's browser: follows redirects by hand, keeps cookies, and goes only where it is allowed to. */

import type { Decision } from '../../../mock-provider/index.ts'
export type { Decision, FaultId, FaultSpec } from '../../../mock-provider/index.ts'
import {
  confirming,
  finishing,
  onwards,
  postedAnswer,
  posting,
  redirected,
  requestFor,
  type Navigation,
} from './page-ways.ts'
import { newJar, type CookieJar } from './cookies.ts'
import { HttpFailure, type HttpResponse, type Transport } from '../http.ts'
import type { Recorder } from '../../engine/recording/recorder.ts'

/** Redirects that are followed before a chain counts as a loop. */
export const redirectLimit = 10

/** Where a browser may go, and who records where it went. */
export interface UserAgentOptions {
  readonly recorder: Recorder
  readonly transport: Transport
  readonly issuer: string
  /** Where a public origin is reached from here; an origin that is missing here must not be visited. */
  readonly origins: ReadonlyMap<string, string>
  /** Milliseconds for one answer, asked for before each request. */
  readonly within: (of: 'provider' | 'implementation') => number
  readonly signal: AbortSignal
  /** Whether somebody who is on the way goes where a page leads; default: pages end a visit, unless they finish by themselves. */
  readonly presses?: boolean | undefined
  /** Its cookies, where somebody else brings some as well; default: its own. */
  readonly jar?: CookieJar
}

/** Where a visit ended. */
export type Visit =
  | { readonly ended: 'interaction'; readonly authorization: string }
  | { readonly ended: 'page'; readonly status: number; readonly url: string }
  | {
      readonly ended: 'blocked' | 'loop' | 'failure'
      readonly url: string
      readonly reason: string
    }

/** Header by which the provider's log is attributed to the visiting scenario and call. */
export const visitHeader = 'x-conformance-visit'

/** A browser of one user; its cookies are nobody else's. */
export class UserAgent {
  readonly #options: UserAgentOptions
  readonly #jar: CookieJar

  constructor(options: UserAgentOptions) {
    this.#options = options
    this.#jar = options.jar ?? newJar()
  }

  /**
   * Opens a URL and follows redirects until a page, the consent page or an obstacle. `from`: whose page leads there; default:
   * none, as where a program opens the browser.
   */
  async visit(url: string, call: string, from?: 'provider'): Promise<Visit> {
    const { recorder } = this.#options
    recorder.record({ type: 'step', action: 'visit', call, detail: { url } })
    const visit = await this.#walk(
      url,
      call,
      from === 'provider' ? this.#options.issuer : undefined,
    )
    recorder.record({ type: 'step', action: 'visited', call, detail: { ...visit } })
    return visit
  }

  /** Answers the consent page. The result is the redirect that the provider sends the browser to. */
  async decide(authorization: string, decision: Decision, call: string): Promise<string> {
    const { issuer, recorder } = this.#options
    const detail = { authorization, ...decision }
    recorder.record({ type: 'step', action: 'decide', call, detail })
    const answer = await this.#send(`${issuer}/authorize/${authorization}/decision`, call, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(decision),
    })
    const location = answer.headers['location']
    const way = location ?? postedAnswer(answer, issuer)
    if (!way)
      throw new Error(`the provider refused the decision: ${answer.status} ${answer.body.text}`)
    return way
  }

  async #walk(start: string, call: string, from: string | undefined): Promise<Visit> {
    let next: Navigation = { method: 'GET', url: start }
    /** The page that leads there, through whichever redirects. */
    let initiator = from
    for (let step = 0; step < redirectLimit; step += 1) {
      const { url } = next
      const obstacle = this.#obstacle(url)
      if (obstacle) return { ended: 'blocked', url, reason: obstacle }
      const interaction = this.#interaction(url)
      if (interaction) return { ended: 'interaction', authorization: interaction }
      let answer: HttpResponse
      try {
        answer = await this.#send(url, call, requestFor(next), initiator)
      } catch (error) {
        if (!(error instanceof HttpFailure)) throw error
        return { ended: 'failure', url, reason: `${error.code}: ${error.message}` }
      }
      const form = this.#isProvider(url) ? postedAnswer(answer, url) : undefined
      if (form !== undefined && !this.#isProvider(form)) {
        next = { method: 'GET', url: form }
        initiator = url
        continue
      }
      const location = answer.headers['location']
      if (answer.status < 300 || answer.status > 399 || !location) {
        const pressed = finishing(answer, url) ?? this.#pressed(answer, url)
        if (!pressed) return { ended: 'page', status: answer.status, url }
        next = pressed
        initiator = url
        continue
      }
      if (!URL.canParse(location, url)) {
        return {
          ended: 'blocked',
          url,
          reason: `redirects to something that is not a URL: ${location}`,
        }
      }
      next = redirected(next, answer.status, new URL(location, url).href)
    }
    return { ended: 'loop', url: next.url, reason: `more than ${redirectLimit} redirects` }
  }

  #pressed(answer: HttpResponse, url: string): Navigation | undefined {
    if (!this.#options.presses) return undefined
    return confirming(answer, url) ?? onwards(answer, url, (to) => this.#isProvider(to))
  }

  /** Why the browser must not go there. */
  #obstacle(url: string): string | undefined {
    if (!URL.canParse(url)) return 'not an absolute URL'
    const { protocol, origin, username, password } = new URL(url)
    if (protocol !== 'https:' && protocol !== 'http:') return `scheme ${protocol} is not visited`
    if (username || password) return 'a URL with user information is not visited'
    if (this.#isProvider(url)) return undefined
    if (this.#options.origins.has(origin)) return undefined
    const known = [this.#options.issuer, ...this.#options.origins.keys()].join(', ')
    return `origin ${origin} is neither the provider nor the implementation (${known})`
  }

  #isProvider(url: string): boolean {
    return new URL(url).origin === new URL(this.#options.issuer).origin
  }

  /**
   * Which cookies a browser brings along (RFC 6265bis §5.2, SameSite). The provider is another site than the implementation,
   * as it is where both are deployed, although here one host may serve both; what opens the browser is no site.
   */
  #sameSite(initiator: string | undefined, url: string, method: string): 'strict' | 'lax' | 'none' {
    if (initiator === undefined || this.#isProvider(initiator) === this.#isProvider(url))
      return 'strict'
    return method === 'GET' ? 'lax' : 'none'
  }

  #interaction(url: string): string | undefined {
    const prefix = `${this.#options.issuer}/authorize/`
    return url.startsWith(prefix) ? url.slice(prefix.length).split(/[/?#]/)[0] : undefined
  }

  async #send(
    url: string,
    call: string,
    request: { method: string; headers: Record<string, string>; body?: string },
    initiator?: string,
  ): Promise<HttpResponse> {
    const { recorder, transport, origins, within, signal } = this.#options
    const form = posting(url)
    const { method, headers, body } = form ? requestFor(form) : request
    const target = new URL(form?.url ?? url)
    target.hash = ''
    // What is posted is recorded in the query, where every other answer of the provider stands.
    const shown = form ? url.slice(0, url.indexOf('#')) : url
    const reachable = origins.get(target.origin)
    const atProvider = reachable === undefined
    const sameSiteContext = this.#sameSite(initiator, url, method)
    const cookie = await this.#jar.getCookieString(url, { sameSiteContext })
    const sent = {
      accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8',
      // As every browser: a page that is compressed is read like any other.
      'accept-encoding': 'gzip, deflate, br',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      ...(cookie ? { cookie } : {}),
      ...(atProvider ? { [visitHeader]: `${recorder.name}/${call}` } : {}),
      ...headers,
    }
    const exchange = recorder.newExchange()
    const place = { channel: 'browser', exchange, call } as const
    // The provider's own log records what reaches the provider.
    if (!atProvider)
      recorder.record({ type: 'request', ...place, method, url: shown, headers: sent })
    try {
      const destination =
        reachable === undefined ? target.href : reachable + target.pathname + target.search
      const answer = await transport({
        method,
        url: destination,
        headers: sent,
        body,
        within: within(atProvider ? 'provider' : 'implementation'),
        signal,
        keepAlive: atProvider,
      })
      for (const line of answer.headers['set-cookie']?.split('\n') ?? []) {
        await this.#jar.setCookie(line, url, { ignoreError: true })
      }
      if (!atProvider) recorder.record({ type: 'response', ...place, ...answer })
      return answer
    } catch (error) {
      if (!atProvider && error instanceof HttpFailure) {
        recorder.record({ type: 'failure', ...place, code: error.code, message: error.message })
      }
      throw error
    }
  }
}
