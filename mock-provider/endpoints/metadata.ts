/** The issuer's metadata (RFC 8414, OpenID Connect Discovery 1.0) and its keys. */
import { responseModes, responseTypes } from '../authorization/response-types.ts'
import { requestObjectAlgorithms } from '../clients/request-object-algorithms.ts'
import { assertionAlgorithms, grantTypes } from '../clients/client.ts'
import { authenticationMethods } from '../clients/presented-client.ts'
import { signingAlgorithms } from '../crypto/signer.ts'
import { asymmetricAlgorithms } from '../crypto/verify-jwt.ts'
import type { Endpoint } from '../http/exchange.ts'
import { constant, json } from '../http/reply.ts'
import { wellKnownPath } from '../http/well-known.ts'
import { supportedClaims } from '../openid/claims.ts'
import type { ProviderState } from '../provider/state.ts'
import { resourceIdentifiers } from '../resource/resource-indicators.ts'
import { chain } from '../storage/maybe-promise.ts'

const confidentialMethods = authenticationMethods.filter((method) => method !== 'none')

const assertionAlgs = Object.values(assertionAlgorithms).flat()

/** Both metadata documents are the same: each format ignores what it does not know. */
export function metadataEndpoints(state: ProviderState): readonly Endpoint[] {
  const metadata = constant(metadataOf(state))
  const { issuer } = state.settings
  const document = (path: string, place: Endpoint['place']): Endpoint => ({
    name: 'discovery',
    methods: ['GET', 'HEAD'],
    place,
    path,
    crossOrigin: true,
    faults: 'discovery',
    handle: () => json(metadata),
  })
  return [
    document(wellKnownPath('oauth-authorization-server', issuer), 'origin'),
    // RFC 8414 §5 has it before the issuer's path, OpenID Connect Discovery §4 after it
    ...(new URL(issuer).origin === issuer
      ? []
      : [document(wellKnownPath('openid-configuration', issuer), 'origin')]),
    document('/.well-known/openid-configuration', 'issuer'),
    {
      name: 'jwks',
      methods: ['GET', 'HEAD'],
      path: '/jwks',
      crossOrigin: true,
      faults: 'jwks',
      handle: () => chain(state.signer.published(), (keys) => json(constant(keys))),
    },
  ]
}

function metadataOf({ settings: { issuer, scopes } }: ProviderState) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    registration_endpoint: `${issuer}/register`,
    scopes_supported: scopes,
    response_types_supported: responseTypes,
    response_modes_supported: responseModes,
    grant_types_supported: [...grantTypes, 'implicit'],
    token_endpoint_auth_methods_supported: authenticationMethods,
    token_endpoint_auth_signing_alg_values_supported: assertionAlgs,
    revocation_endpoint: `${issuer}/revoke`,
    revocation_endpoint_auth_methods_supported: authenticationMethods,
    revocation_endpoint_auth_signing_alg_values_supported: assertionAlgs,
    introspection_endpoint: `${issuer}/introspect`,
    introspection_endpoint_auth_methods_supported: confidentialMethods,
    introspection_endpoint_auth_signing_alg_values_supported: assertionAlgs,
    code_challenge_methods_supported: ['S256'],
    // RFC 9449 §5.1
    dpop_signing_alg_values_supported: asymmetricAlgorithms,
    client_id_metadata_document_supported: true,
    // RFC 8628 §4
    device_authorization_endpoint: `${issuer}/device_authorization`,
    // RFC 9126 §5
    pushed_authorization_request_endpoint: `${issuer}/par`,
    // RFC 9207 §3
    authorization_response_iss_parameter_supported: true,
    // RFC 9728 §4
    protected_resources: resourceIdentifiers(issuer),
    userinfo_endpoint: `${issuer}/userinfo`,
    // RP-Initiated Logout §2.1
    end_session_endpoint: `${issuer}/end_session`,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: signingAlgorithms,
    claims_supported: supportedClaims,
    claims_parameter_supported: true,
    request_parameter_supported: true,
    request_object_signing_alg_values_supported: requestObjectAlgorithms,
    // OpenID Connect Discovery §3: the default is true
    request_uri_parameter_supported: false,
  }
}
