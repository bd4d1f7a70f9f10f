/** Oddities of the way to the provider, in the browser and behind it. */

import type { Context } from 'hono'
import { html } from 'hono/html'
import * as oauth from 'oauth4webapi'
import { z } from 'zod'

import { alterAuthorizationUrl, pause, withHead } from '../defects/alter.ts'
import { requestOptions, type Provider } from '../oauth/provider.ts'
import type { Oddity } from './oddity.ts'

const withoutLogin = { target: { authorization: false }, declares: { login: undefined } }

export const providerOddities: readonly Oddity[] = [
  {
    id: 'without-authorization',
    description: 'the endpoint demands no token, and what a session may do ends with it',
    permitted: 'MCP Authorization: authorization is OPTIONAL',
    touches: ['connect-and-complete', 'two-sessions'],
    env: { MCP_AUTHORIZATION: 'none' },
    configuration: withoutLogin,
  },
  {
    id: 'straight-to-the-provider',
    description: 'the URL is that of the provider’s authorization endpoint',
    permitted:
      'MCP Elicitation, URL Mode for OAuth Flows, Implementation Pattern 1 and 3: an authorization URL',
    touches: ['connect-and-complete', 'denied-at-the-provider', 'two-sessions'],
    parts: () => ({
      elicitationUrl: ({ authorize }) => authorize(),
      // The browser was never here before.
      isSameBrowser: () => true,
    }),
    env: { MCP_AUTHORIZATION: 'none' },
    configuration: withoutLogin,
  },
  // ------------------------------------------------------------- the browser
  {
    id: 'connect-page-with-a-form',
    description: 'the connect page has a button, which leads to the provider',
    permitted: 'MCP Elicitation, URL Mode: what is behind the URL is left to the server',
    touches: ['connect-and-complete', 'denied-at-the-provider', 'other-browser'],
    parts: () => ({
      sendToProvider(http, url) {
        const fields = [...url.searchParams].map(
          ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
        )
        return http.html(
          html`<!doctype html>
            <title>Connect</title>
            <form action="${url.origin}${url.pathname}">
              ${fields}<button>Connect your account</button>
            </form>`,
        )
      },
    }),
  },
  {
    id: 'connect-page-with-a-link',
    description: 'the connect page has a link, which leads to the provider',
    permitted: 'MCP Elicitation, URL Mode: what is behind the URL is left to the server',
    touches: ['connect-and-complete', 'denied-at-the-provider'],
    parts: () => ({
      sendToProvider: (http, url) =>
        http.html(
          html`<!doctype html>
            <title>Connect</title>
            <a href="${url.href}">Connect your account</a>`,
        ),
    }),
  },
  {
    id: 'login-on-the-way',
    description: 'the URL is that of the login, which leads on to the connect page',
    permitted: 'MCP Elicitation, Phishing: how the user is identified is left to the server',
    touches: ['connect-and-complete', 'other-browser'],
    parts: (defaults) => ({
      elicitationUrl({ connectPage }) {
        const { origin } = new URL(connectPage)
        return `${origin}/login?${new URLSearchParams({ return: connectPage }).toString()}`
      },
      connectUrl: defaults.connectUrl,
    }),
  },
  {
    id: 'login-by-userinfo',
    description: 'who has logged in is asked of the provider with the token of the login',
    permitted: 'OpenID Connect Core §5.3: UserInfo Endpoint',
    touches: ['connect-and-complete', 'other-browser', 'strange-browser'],
    parts: () => ({
      async exchangeLogin(provider, { response, redirectUri, verifier }, nonce) {
        const { server, client, authentication } = provider
        const options = requestOptions(provider)
        const answer = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          authentication,
          response,
          redirectUri,
          verifier,
          options,
        )
        const expected = { expectedNonce: nonce, requireIdToken: true }
        const { access_token: token } = await oauth.processAuthorizationCodeResponse(
          server,
          client,
          answer,
          expected,
        )
        const info = await oauth.userInfoRequest(server, client, token, options)
        const { sub } = await oauth.processUserInfoResponse(
          server,
          client,
          oauth.skipSubjectCheck,
          info,
        )
        return sub
      },
    }),
  },
  {
    id: 'callback-compares-the-login',
    description:
      'who comes back is told by the login of that browser, and by no cookie of the flow',
    permitted: 'MCP Elicitation, Phishing: there are many ways to ensure that it is the same user',
    touches: ['connect-and-complete', 'finished-in-another-browser', 'denied-at-the-provider'],
    parts: (defaults) => {
      const subjects = new Map<string, unknown>()
      let subjectAt: (http: Context) => string | undefined = () => undefined
      return {
        openElicitation(...args) {
          const elicitation = defaults.openElicitation(...args)
          const { id, principal } = elicitation
          if (principal.kind === 'user') subjects.set(id, principal.subject)
          return elicitation
        },
        loggedIn(http, logins, publicUrl) {
          subjectAt = (each) => defaults.loggedIn(each, logins, publicUrl)
          return subjectAt(http)
        },
        isSameBrowser(http, flow) {
          if (flow.purpose.kind === 'login') return defaults.isSameBrowser(http, flow)
          const owner = subjects.get(flow.purpose.elicitation)
          return owner !== undefined && subjectAt(http) === owner
        },
      }
    },
  },
  {
    id: 'login-asked-anew',
    description: 'every login asks the user anew, whoever is signed in at the provider',
    permitted: 'OpenID Connect Core §3.1.2.1: prompt=login',
    touches: ['connect-and-complete', 'other-browser'],
    parts: (defaults) => ({
      async buildAuthorizationUrl(provider, request) {
        const url = await defaults.buildAuthorizationUrl(provider, request)
        if (request.nonce !== undefined) url.searchParams.set('prompt', 'login')
        return url
      },
    }),
  },
  {
    id: 'page-with-a-style',
    description: 'the last page has a style sheet of its host, an image in it, and a link away',
    permitted: 'RFC 9700 §4.2.4: only resources of third parties are to be avoided',
    touches: ['connect-and-complete'],
    parts: (defaults) => ({
      renderPage: async (http, page) =>
        withHead(
          await defaults.renderPage(http, page),
          `<link rel="stylesheet" href="/style.css"><link rel="icon" href="data:,">
          <link rel="help" href="https://agent.example/">`,
        ),
    }),
  },
  {
    id: 'page-after-seven-seconds',
    description: 'the browser waits seven seconds for its last page, and the call does not',
    permitted: 'MCP Elicitation: nothing is said of the page',
    touches: ['connect-and-complete', 'denied-at-the-provider'],
    // Two pages, and what is watched between them, come before the time of a call is up.
    configuration: { declares: { pendingTimeout: '40s' } },
    parts: (defaults) => ({
      async renderPage(http, page) {
        await pause(7000)
        return defaults.renderPage(http, page)
      },
    }),
  },
  // ------------------------------------------------------------- the client
  {
    id: 'pushed-requests',
    description: 'authorization requests are pushed, and the URL carries a reference',
    permitted: 'RFC 9126',
    touches: ['connect-and-complete'],
    parts: (defaults) => ({
      async buildAuthorizationUrl(provider, request) {
        const url = await defaults.buildAuthorizationUrl(provider, request)
        const pushed = await push(provider, url.searchParams)
        const { client_id: clientId } = provider.client
        url.search = new URLSearchParams({ client_id: clientId, request_uri: pushed }).toString()
        return url
      },
    }),
  },
  {
    id: 'dynamic-registration',
    description: 'it registers itself, when it first needs the provider',
    permitted: 'RFC 7591 §2: a client that names no grant types refreshes nothing',
    touches: ['connect-and-complete', 'other-browser'],
    configuration: { declares: { refreshTokens: false } },
    parts: (defaults) => ({
      async discoverProvider(settings, fetch) {
        const provider = await defaults.discoverProvider(settings, fetch)
        const response = await oauth.dynamicClientRegistrationRequest(
          provider.server,
          {
            client_name: 'Items',
            redirect_uris: [defaults.redirectUri(settings.publicUrl)],
            token_endpoint_auth_method: 'client_secret_basic',
          },
          requestOptions(provider),
        )
        const client = await oauth.processDynamicClientRegistrationResponse(response)
        return {
          ...provider,
          client: { client_id: client.client_id },
          authentication: oauth.ClientSecretBasic(secretSchema.parse(client).client_secret),
        }
      },
    }),
  },
  {
    id: 'secret-in-the-body',
    description: 'its secret goes into the body of token requests, not into a header',
    permitted: 'RFC 6749 §2.3.1',
    touches: ['connect-and-complete'],
    parts: (defaults) => ({
      async discoverProvider(settings, fetch) {
        const provider = await defaults.discoverProvider(settings, fetch)
        const secret = settings.clientSecret ?? ''
        return { ...provider, authentication: oauth.ClientSecretPost(secret) }
      },
    }),
  },
  {
    id: 'parameters-of-its-own',
    description: 'the authorization request has parameters that no RFC knows',
    permitted: 'RFC 6749 §3.1: the server MUST ignore unrecognized request parameters',
    touches: ['connect-and-complete'],
    parts: (defaults) =>
      alterAuthorizationUrl(defaults, (query) => query.set('access_type', 'offline')),
  },
  {
    id: 'state-is-long',
    description: 'state is a long text in base64url, a part of which is random',
    permitted: 'RFC 6749 §10.12: a value that is bound to the user-agent and cannot be guessed',
    touches: ['connect-and-complete'],
    parts: (defaults) => ({
      newState: () =>
        Buffer.from(JSON.stringify(['v1', 'items', defaults.newState()])).toString('base64url'),
    }),
  },
  // ------------------------------------------------------------- the API
  {
    id: 'refreshed-early',
    description: 'tokens are refreshed with every call, long before they expire',
    permitted: 'RFC 6749 §6: when a client refreshes is left to it',
    touches: ['connect-and-complete'],
    parts: () => ({ isExpired: () => true }),
  },
  {
    id: 'refused-token-ends-its-call',
    description: 'a call whose token the API refuses ends with that, and the next one asks',
    permitted: 'RFC 6750 §3.1: what follows an invalid token is left to the client',
    touches: ['grant-revoked', 'stored-token'],
    parts: ({ nextStep }) => ({
      nextStep: (refusal, origin) =>
        refusal === 'invalid_token' ? 'fail' : nextStep(refusal, origin),
    }),
  },
  {
    id: 'two-requests-per-call',
    description: 'a call takes two requests to the API',
    permitted: 'MCP Tools: how a tool does its work is left to the server',
    touches: ['connect-and-complete'],
    parts: (defaults) => ({
      async fetchItems(api, accessToken) {
        const first = await defaults.fetchItems(api, accessToken)
        return first.done ? defaults.fetchItems(api, accessToken) : first
      },
    }),
  },
]

const secretSchema = z.object({ client_secret: z.string() })

/** RFC 9126 §2. */
async function push(provider: Provider, parameters: URLSearchParams): Promise<string> {
  const { server, client, authentication } = provider
  const response = await oauth.pushedAuthorizationRequest(
    server,
    client,
    authentication,
    parameters,
    requestOptions(provider),
  )
  return (await oauth.processPushedAuthorizationResponse(server, client, response)).request_uri
}
