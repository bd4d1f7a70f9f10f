/** What every endpoint that takes a form demands of a request. */
import type { Exchange } from './exchange.ts'
import { hasMediaType } from './json-body.ts'
import { OAuthError } from './oauth-error.ts'
import { refuseDuplicates, type Parameters } from './parameters.ts'

/**
 * Returns the form parameters of a direct request (RFC 6749 §4.1.3, RFC 7009 §2.1, RFC 7662 §2.1).
 * @throws OAuthError `invalid_request`
 */
export function requireForm({ search, headers, form }: Exchange): Parameters {
  if (!hasMediaType(headers, 'application/x-www-form-urlencoded')) {
    throw new OAuthError('invalid_request', 'the content type must be form-urlencoded')
  }
  // RFC 6749 §2.3.1: credentials must not be in the request URI, and our endpoints have no query
  if (search !== '') throw new OAuthError('invalid_request', 'the URI must not have a query')
  // RFC 8693 §2.1
  const exchanging = form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:token-exchange'
  refuseDuplicates(form, exchanging ? ['audience'] : [])
  return form
}
