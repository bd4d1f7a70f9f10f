/** The authorization endpoint and the page on which the user decides (RFC 6749 §3.1, §4.1). */
import type { Authorization } from '../authorization.ts'
import {
  describeRequest,
  resolveTarget,
  validateRequest,
  type AuthorizationRequest,
  type ResponseTarget,
} from '../authorization-request.ts'
import { beginAuthorization } from '../begin-authorization.ts'
import { respond } from '../authorization-response.ts'
import { findClient } from '../client-id-metadata.ts'
import { matchesExactly } from '../clients.ts'
import { decide } from '../decide.ts'
import type { Endpoint, Exchange } from '../exchange.ts'
import { hasMediaType } from '../json-body.ts'
import { OAuthError } from '../oauth-error.ts'
import { consentPage } from '../consent-page.ts'
import { errorPage } from '../pages.ts'
import type { Parameters } from '../parameters.ts'
import { takePushed } from '../pushed-requests.ts'
import { redirect, type Reply } from '../reply.ts'
import type { ProviderState } from '../state.ts'

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
        target = await resolveTarget(parameters, state)
        const request = validateRequest(parameters, target, state)
        exchange.leniencies.push(...leniencies(request, target))
        const authorization = await beginAuthorization(request, state)
        exchange.authorization = authorization
        exchange.log(describeRequest(parameters, via))
        return await proceed(state, exchange, authorization)
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error
        exchange.log(describeRequest(parameters, via, error))
        return target ? redirectError(state, target, error) : errorPage(error)
      }
    },
  }
}

/** By what a request passes that a stricter client registration would refuse. */
function leniencies(request: AuthorizationRequest, { client }: ResponseTarget): readonly string[] {
  const { redirectUri = '', codeChallenge, codeChallengeMethod } = request
  const named = {
    'pkce-optional': codeChallenge === undefined,
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
  if (!autoApprove) return redirect(`${issuer}/authorize/${authorization.id}`)
  return decide(state, exchange, authorization.id, { action: 'approve', ...autoApprove })
}

function redirectError(state: ProviderState, target: ResponseTarget, error: OAuthError): Reply {
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
    async handle({ authorization }) {
      if (!authorization) {
        return errorPage(new OAuthError('not_found', 'There is no such request', { status: 404 }))
      }
      if (authorization.decided) {
        return errorPage(
          new OAuthError('gone', 'This request has already been decided', { status: 410 }),
        )
      }
      const client = await findClient(state, authorization.request.clientId)
      return consentPage(authorization, {
        clientName: client?.name ?? authorization.request.clientId,
        users: state.settings.users,
      })
    },
  }
}
