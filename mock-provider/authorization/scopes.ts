/** Scope strings (RFC 6749 §3.3). */
import { OAuthError } from '../http/oauth-error.ts'

/** RFC 6749 §3.3: tokens of printable ASCII except space, `"` and `\`, separated by single spaces. */
const scopeSyntax = /^[\x21\x23-\x5B\x5D-\x7E]+( [\x21\x23-\x5B\x5D-\x7E]+)*$/

/** Splits a scope string without judging it. */
export function splitScope(scope: string | undefined): readonly string[] {
  return [...new Set(scope?.split(' ').filter((token) => token !== ''))]
}

/**
 * Resolves a requested scope; without one, everything allowed is meant (RFC 6749 §3.3, §6).
 * @throws OAuthError `invalid_scope` when it is malformed or asks for more than is allowed
 */
export function resolveScope(
  requested: string | undefined,
  allowed: readonly string[],
): readonly string[] {
  if (requested === undefined) return allowed
  if (!scopeSyntax.test(requested)) throw new OAuthError('invalid_scope', 'malformed scope')
  const scopes = splitScope(requested)
  if (!scopes.every((scope) => allowed.includes(scope))) {
    throw new OAuthError('invalid_scope', 'the scope is unknown or exceeds what is allowed')
  }
  return scopes
}
