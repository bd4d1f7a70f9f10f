/** Authorization requests that come as a JSON Web Token, by value (OpenID Connect Core §6.1, RFC 9101). */
import { findClient } from '../clients/client-id-metadata.ts'
import { clientKeys } from '../clients/client-keys.ts'
import type { Client } from '../clients/client.ts'
import { requestObjectAlgorithms } from '../clients/request-object-algorithms.ts'
import { decodeJwt } from '../crypto/decode-jwt.ts'
import { verifyJwt } from '../crypto/verify-jwt.ts'
import type { Exchange } from '../http/exchange.ts'
import { OAuthError } from '../http/oauth-error.ts'
import { parseParameters, refuseDuplicates, type Parameters } from '../http/parameters.ts'
import type { ProviderState } from '../provider/state.ts'
import { splitScope } from './scopes.ts'

type Claims = Readonly<Record<string, unknown>>

/** RFC 7519 §4.1: what is about the token, and is no parameter. */
const aboutTheToken: readonly string[] = ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti']

/**
 * The parameters of a request, those of its request object in place of the others. To OAuth alone
 * nothing else counts (RFC 9101 §6.3); OpenID Connect adds what stands beside it.
 * @throws OAuthError `invalid_request_object`
 */
export async function unpackRequest(
  state: ProviderState,
  parameters: Parameters,
  { leniencies }: Pick<Exchange, 'leniencies'>,
): Promise<Parameters> {
  const token = parameters.get('request')
  if (token === undefined) return parameters
  refuseDuplicates(parameters)
  const client = await findClient(state, parameters.get('client_id'))
  // refused by whoever looks for the client
  if (!client) return parameters
  const { alg, claims } = await verifiedClaims(state, client, token)
  if (alg === 'none') leniencies.push('request-object-unsigned')
  requireFitting(claims, parameters, client, state.settings.issuer)
  const named = Object.entries(claims).filter(([name]) => !aboutTheToken.includes(name))
  const beside = splitScope(parameters.get('scope')).includes('openid') ? parameters.pairs : []
  const all = new URLSearchParams([['client_id', client.clientId]])
  for (const [name, value] of beside) {
    if (name !== 'request' && name !== 'client_id' && !Object.hasOwn(claims, name)) {
      all.append(name, value)
    }
  }
  for (const [name, value] of named) {
    if (name === 'client_id') continue
    for (const one of Array.isArray(value) ? value : [value]) {
      all.append(name, typeof one === 'string' ? one : JSON.stringify(one))
    }
  }
  return parseParameters(all.toString())
}

async function verifiedClaims(state: ProviderState, client: Client, token: string) {
  const decoded = decodeJwt(token)
  const alg = decoded?.header['alg']
  if (!decoded || typeof alg !== 'string') throw refusal('the request object is not a JWT')
  const { requestObjectSigningAlg: demanded, clientSecret = '' } = client
  if (!requestObjectAlgorithms.includes(alg) || (demanded !== undefined && demanded !== alg)) {
    throw refusal('the request object is signed by an algorithm that is not allowed')
  }
  if (alg === 'none') {
    if (!token.endsWith('.')) throw refusal('the request object is malformed')
    return { alg, claims: decoded.claims }
  }
  // OpenID Connect Core §10.1: the octets of the UTF-8 representation of the secret
  const key =
    alg === 'HS256' ? new TextEncoder().encode(clientSecret) : await clientKeys(state, client)
  const currentDate = new Date(state.settings.clock.now())
  const result = await verifyJwt(token, key, { algorithms: [alg], currentDate })
  if ('problem' in result) throw refusal(`the request object ${result.problem}`)
  return { alg, claims: result.claims }
}

/** @throws OAuthError for an object that was not made for this request, client and provider */
function requireFitting(
  claims: Claims,
  parameters: Parameters,
  { clientId }: Client,
  issuer: string,
): void {
  // OpenID Connect Core §6.1, RFC 9101 §4
  if ('request' in claims || 'request_uri' in claims) {
    throw refusal('a request object must not contain another')
  }
  const { iss = clientId, aud = issuer, sub } = claims
  const meant = iss === clientId && [aud].flat().includes(issuer)
  // RFC 9101 §10.8: it could be taken for a client assertion
  if (!meant || sub === clientId) throw refusal('the request object is meant for something else')
  for (const name of ['client_id', 'response_type']) {
    const beside = parameters.get(name)
    if (beside !== undefined && (claims[name] ?? beside) !== beside) {
      throw refusal('the request object contradicts the parameters beside it')
    }
  }
}

const refusal = (description: string) => new OAuthError('invalid_request_object', description)
