/** Proof Key for Code Exchange (RFC 7636), S256 unless a client is registered otherwise. */
import { hash } from 'node:crypto'
import { OAuthError } from '../http/oauth-error.ts'

/** What a client is held to: S256; `plain` accepted too; or no challenge needed at all, any method if there is one. */
export type PkcePolicy = 'S256' | 'plain' | 'optional'

/** What became of the code verifier of a token request (RFC 7636 §4.6). */
export type VerifierOutcome =
  /** None was sent. */
  | 'absent'
  | 'matched'
  | 'mismatched'
  /** Not a code verifier by RFC 7636 §4.1. */
  | 'malformed'
  /** Sent for a code that has no challenge. */
  | 'unexpected'
  /** Sent with an unknown code. */
  | 'unchecked'

export interface CodeChallenge {
  readonly codeChallenge: string | undefined
  readonly codeChallengeMethod: string | undefined
}

const acceptedMethods: Readonly<Record<PkcePolicy, readonly string[]>> = {
  S256: ['S256'],
  plain: ['S256', 'plain'],
  optional: ['S256', 'plain'],
}

/** RFC 7636 §4.1: 43 to 128 unreserved characters. A plain challenge is a verifier (§4.2). */
const verifierSyntax = /^[A-Za-z0-9._~-]{43,128}$/
/** What is taken where the provider that is imitated takes longer ones. */
const longVerifierSyntax = /^[A-Za-z0-9._~-]{43,1024}$/

/** The base64url encoding of a SHA-256 digest (RFC 7636 §4.2). */
const s256Syntax = /^[A-Za-z0-9_-]{43}$/

/** Computes the S256 challenge of a verifier (RFC 7636 §4.2). */
export function s256(verifier: string): string {
  return hash('sha256', verifier, 'base64url')
}

/**
 * Validates the challenge of an authorization request (RFC 7636 §4.3, §4.4.1).
 * @throws OAuthError `invalid_request`
 */
export function validateChallenge(
  challenge: string | undefined,
  method: string | undefined,
  policy: PkcePolicy,
): CodeChallenge {
  if (challenge === undefined) {
    if (method !== undefined || policy !== 'optional') {
      throw new OAuthError('invalid_request', 'code challenge required')
    }
    return { codeChallenge: undefined, codeChallengeMethod: undefined }
  }
  // RFC 7636 §4.3: the method defaults to plain
  const codeChallengeMethod = method ?? 'plain'
  if (!acceptedMethods[policy].includes(codeChallengeMethod)) {
    throw new OAuthError('invalid_request', 'transform algorithm not supported')
  }
  const syntax = codeChallengeMethod === 'S256' ? s256Syntax : verifierSyntax
  if (!syntax.test(challenge)) throw new OAuthError('invalid_request', 'malformed code challenge')
  return { codeChallenge: challenge, codeChallengeMethod }
}

/** Compares what the token request sent with what the code is bound to (RFC 7636 §4.6). */
export function compareVerifier(
  verifier: string | undefined,
  bound: CodeChallenge | undefined,
  { longVerifiers }: { readonly longVerifiers: boolean },
): VerifierOutcome {
  if (verifier === undefined) return 'absent'
  if (!(longVerifiers ? longVerifierSyntax : verifierSyntax).test(verifier)) return 'malformed'
  if (bound === undefined) return 'unchecked'
  if (bound.codeChallenge === undefined) return 'unexpected'
  const derived = bound.codeChallengeMethod === 'S256' ? s256(verifier) : verifier
  return derived === bound.codeChallenge ? 'matched' : 'mismatched'
}

/**
 * Refuses a code whose challenge was not met (RFC 7636 §4.6), or a verifier without a challenge,
 * which means that the challenge was stripped on its way (RFC 9700 §4.8.2).
 * @throws OAuthError `invalid_grant`, or `invalid_request` for a verifier that is none
 */
export function requireVerifier(outcome: VerifierOutcome, bound: CodeChallenge): void {
  if (outcome === 'malformed') throw new OAuthError('invalid_request', 'malformed code verifier')
  if (outcome === 'matched' || (outcome === 'absent' && bound.codeChallenge === undefined)) return
  throw new OAuthError('invalid_grant', 'code verifier does not match the code challenge')
}
