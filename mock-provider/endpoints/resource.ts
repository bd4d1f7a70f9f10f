/** The protected API and its metadata (RFC 6750, RFC 9728). */
import { authorizationOf } from '../authorization/authorization.ts'
import { asymmetricAlgorithms } from '../crypto/verify-jwt.ts'
import type { Draft, Endpoint } from '../http/exchange.ts'
import { OAuthError } from '../http/oauth-error.ts'
import { json } from '../http/reply.ts'
import { wellKnownPath } from '../http/well-known.ts'
import type { ResourceAccessDetail } from '../log/events.ts'
import type { ProviderState } from '../provider/state.ts'
import { mcpPath, resourcePath } from '../resource/bearer-challenge.ts'
import { describeAccess, requireAccess, tokenOf } from '../resource/require-access.ts'
import { resourceIdentifiers } from '../resource/resource-indicators.ts'
import type { ResourceRoute } from '../resource/resource-route.ts'

export function resourceEndpoints(state: ProviderState): readonly Endpoint[] {
  const { resources, issuer } = state.settings
  const paths = [...new Set(resources.map(({ path }) => path))]
  return [
    ...paths.flatMap((path) => {
      const routes = resources.filter((route) => route.path === path)
      const atRoot = routes.some((route) => route.atRoot)
      return [resourcePath + path, ...(atRoot ? [path] : [])].map((at) =>
        routeEndpoint(state, at, routes),
      )
    }),
    ...resourceIdentifiers(issuer).map((identifier) => metadataEndpoint(state, identifier)),
  ]
}

function routeEndpoint(
  state: ProviderState,
  path: string,
  routes: readonly ResourceRoute[],
): Endpoint<Draft<ResourceAccessDetail>> {
  return {
    name: 'resource',
    methods: routes.map(({ method }) => method),
    path,
    crossOrigin: true,
    faults: 'resource',
    attribute: (exchange) => authorizationOf(state, state.tokens.get(tokenOf(exchange).value)),
    attempt: (exchange) => describeAccess(state, exchange),
    async handle(exchange, attempt) {
      const route = routes.find(({ method }) => method === exchange.method)
      if (!route) throw new OAuthError('invalid_request', 'method not allowed', { status: 405 })
      const token = await requireAccess(state, exchange, {
        scope: route.scope,
        resource: resourcePath,
      })
      const { subject, clientId, scopes } = token
      const { method, url, headers, body } = exchange
      const serve = route.serve ?? (() => json({ subject, scope: scopes.join(' ') }))
      const reply = await serve({ subject, clientId, scopes, method, url, headers, body })
      attempt.outcome = 'served'
      return reply
    },
  }
}

/** RFC 9728 §3.1: the path of the resource follows the well-known part. */
function metadataEndpoint(state: ProviderState, identifier: string): Endpoint {
  const { issuer, scopes, bearerMethods } = state.settings
  return {
    name: 'resource-metadata',
    methods: ['GET', 'HEAD'],
    place: 'origin',
    path: wellKnownPath('oauth-protected-resource', identifier),
    crossOrigin: true,
    handle: () =>
      json({
        resource: identifier,
        authorization_servers: [issuer],
        scopes_supported: scopes,
        bearer_methods_supported: bearerMethods,
        dpop_signing_alg_values_supported: asymmetricAlgorithms,
        resource_name: identifier.endsWith(mcpPath) ? 'Items, as tools' : 'Items',
      }),
  }
}
