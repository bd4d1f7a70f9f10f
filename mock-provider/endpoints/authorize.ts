/** The authorization endpoint and the page on which the user decides (RFC 6749 §3.1, §4.1). */
import {
  describeRequest,
  resolveTarget,
  validateRequest,
  type ResponseTarget,
} from '../authorization/authorization-request.ts'
import { respond } from '../authorization/authorization-response.ts'
import type { Authorization, AuthorizationRequest } from '../authorization/authorization.ts'
import { beginAuthorization } from '../authorization/begin-authorization.ts'
import { decide, type Decision } from '../authorization/decide.ts'
import { takePushed } from '../authorization/pushed-requests.ts'
import { unpackRequest } from '../authorization/request-object.ts'
import { brings, isFront } from '../authorization/response-types.ts'
import { listUsers } from '../authorization/users.ts'
import { findClient } from '../clients/client-id-metadata.ts'
import { matchesExactly } from '../clients/redirect-uris.ts'
import type { Endpoint, Exchange } from '../http/exchange.ts'
import { hasMediaType } from '../http/json-body.ts'
import { OAuthError } from '../http/oauth-error.ts'
import type { Parameters } from '../http/parameters.ts'
import { redirect, type Reply } from '../http/reply.ts'
import { consentPage } from '../pages/consent-page.ts'
import { expectedSubject } from '../openid/openid-request.ts'
import { sessionOf, silentRefusal } from '../openid/sessions.ts'
import { errorPage, type Fact } from '../pages/pages.ts'
import type { ProviderState } from '../provider/state.ts'

export function authorizeEndpoint(state: ProviderState): Endpoint {
  return {
    name: 'authorize',
    methods: ['GET', 'POST'],
    path: '/authorize',
    async handle(exchange) {
      const direct = directParameters(exchange)
      const requestUri = direct.parameters.get('request_uri')
      let { parameters, via } = direct
      let target: ResponseTarget | undefined
      try {
        if (direct.problem) throw direct.problem
        if (requestUri !== undefined) {
          parameters = await takePushed(state, requestUri, direct.parameters)
          via = 'par'
        }
        if (parameters.get('request') !== undefined) {
          // where to report an object to that cannot be read
          target = await resolveTarget(parameters, state).catch(() => undefined)
          parameters = await unpackRequest(state, parameters, exchange)
          target = undefined
        }
        target = await resolveTarget(parameters, state)
        const request = await validateRequest(parameters, target, state)
        exchange.leniencies.push(...leniencies(request, target))
        const authorization = await beginAuthorization(request, state)
        exchange.authorization = authorization
        exchange.log(describeRequest(parameters, via))
        return await proceed(state, exchange, authorization)
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error
        exchange.log(describeRequest(parameters, via, error))
        if (target) return redirectError(state, target, error)
        return errorPage(error, await explain(state, parameters))
      }
    },
  }
}

/** What was asked and what is registered: most errors that no client is told are about that. */
async function explain(state: ProviderState, parameters: Parameters): Promise<readonly Fact[]> {
  const clientId = parameters.get('client_id')
  const redirectUri = parameters.get('redirect_uri')
  const client = await state.clients.get(clientId)
  return [
    { name: 'Client of the request', values: clientId === undefined ? ['none'] : [clientId] },
    { name: 'Its name', values: client ? [client.name] : ['unknown: it is not registered'] },
    { name: 'Redirect URI of the request', values: [redirectUri ?? 'none'] },
    ...(client ? [{ name: 'Registered for it', values: client.redirectUris }] : []),
  ]
}

/** By what a request passes that a stricter client registration would refuse. */
function leniencies(request: AuthorizationRequest, { client }: ResponseTarget): readonly string[] {
  const { redirectUri = '', codeChallenge, codeChallengeMethod } = request
  const named = {
    'pkce-optional': brings(request.responseType, 'code') && codeChallenge === undefined,
    'front-channel-tokens': isFront(request.responseType),
    'pkce-plain': codeChallengeMethod === 'plain',
    'redirect-matching': !client.redirectUris.some((each) => matchesExactly(each, redirectUri)),
  }
  return Object.entries(named).flatMap(([name, applies]) => (applies ? [name] : []))
}

/** RFC 6749 §3.1: GET must be supported; POST may be, with a form. */
function directParameters({ method, headers, query, form }: Exchange): {
  parameters: Parameters
  via: 'query' | 'form' | 'par'
  problem?: OAuthError
} {
  if (method === 'GET') return { parameters: query, via: 'query' }
  if (hasMediaType(headers, 'application/x-www-form-urlencoded')) {
    return { parameters: form, via: 'form' }
  }
  const problem = new OAuthError('invalid_request', 'The content type must be form-urlencoded')
  return { parameters: form, via: 'form', problem }
}

async function proceed(
  state: ProviderState,
  exchange: Exchange,
  authorization: Authorization,
): Promise<Reply> {
  const { autoApprove, issuer } = state.settings
  if (autoApprove) {
    return decide(state, exchange, authorization, { action: 'approve', ...autoApprove })
  }
  if (!authorization.request.openid?.prompt.includes('none')) {
    return redirect(`${issuer}/authorize/${authorization.id}`)
  }
  // OpenID Connect Core §3.1.2.1: the user is not to see anything
  const session = await sessionOf(state, exchange)
  const error = silentRefusal(session, authorization, state.clock.now())
  const decision: Decision =
    error === undefined
      ? { action: 'approve', subject: session?.subject }
      : { action: 'error', error, error_description: 'the user has to be asked' }
  return decide(state, exchange, authorization, decision)
}

function redirectError(
  state: ProviderState,
  target: ResponseTarget,
  error: OAuthError,
): Promise<Reply> {
  return respond(target, {
    error: error.code,
    error_description: error.message,
    state: target.state,
    iss: state.settings.issuer,
  })
}

/** The page that asks the user. Its address is the capability to decide. */
export function interactionEndpoint(state: ProviderState): Endpoint {
  return {
    name: 'interaction',
    methods: ['GET', 'HEAD'],
    path: '/authorize/:id',
    attribute: (exchange) => state.authorizations.get(exchange.segment('id')),
    async handle(exchange) {
      const { authorization } = exchange
      if (!authorization) {
        return errorPage(new OAuthError('not_found', 'There is no such request', { status: 404 }))
      }
      if (authorization.decided) {
        return errorPage(
          new OAuthError('gone', 'This request has already been decided', { status: 410 }),
        )
      }
      const client = await findClient(state, authorization.request.clientId)
      const users = await listUsers(state)
      const expected = expectedSubject(authorization.request.openid, users)
      return consentPage(authorization, {
        clientName: client?.name ?? authorization.request.clientId,
        users,
        selected: expected ?? (await sessionOf(state, exchange))?.subject,
        branding: state.settings.branding,
      })
    },
  }
}
