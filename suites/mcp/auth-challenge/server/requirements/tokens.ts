/** Requirements: which calls are served. */

import type { Requirement } from '../../../../../harness/engine/index.ts'

export const tokens: readonly Requirement[] = [
  {
    id: 'mcp-auth-challenge/server/accept-token',
    keyword: 'MUST',
    basis: 'specification',
    source: 'SEP-1489, Client Behavior',
    text: 'The call that is made again with the token is served, and not challenged.',
    observed:
      'The same call with a token for the resource that the metadata names, with the scopes that were asked for.',
    mend: 'Accept tokens whose audience is the resource of your metadata and whose scopes are those of your challenge.',
  },
  {
    id: 'mcp-auth-challenge/server/scheme-in-any-case',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 9110 §11.1',
    text: 'The scheme of the Authorization header is read without regard to case.',
    observed: 'The call that is made again with a valid token, as `authorization: bearer ...`.',
    mend: 'Compare the scheme in lower case before the token is taken.',
  },
  {
    id: 'mcp-auth-challenge/server/enforce',
    keyword: 'MUST',
    basis: 'best-practice',
    source:
      'RFC 6750 §2.1, §3.1; RFC 7519 §4.1.5; RFC 7662 §4; RFC 8725 §2.1, §3.1, §3.3, §3.5; RFC 9068 §4; MCP Authorization, Token Handling',
    text: 'Nothing is served without a token that is valid, was issued by the authorization server and is meant for this server.',
    observed:
      'Calls without a token, also after one that had one, on the same connection, and with the cookies that were set then, and with one that has expired, is not valid yet, is for another resource, for resources whose names begin alike, or for none that it names, comes from another issuer, whose keys may be the same, or names none, has another signature, one that is cut short, or other claims under the same one, is unsigned in any spelling, or signed by a key that its header brings along, by the public key as a secret, by a secret that anybody guesses, or by its sender, by an algorithm that its header chooses; with words in place of a token, and with headers in which a proxy would name a user; also with an opaque token that was served, after its expiry; each in a session of its own, in one that was served before, and on 2026-07-28.',
    mend: 'Verify signature (by the keys of the issuer, and the algorithms that you expect of it), issuer, exp, nbf and audience, or ask the introspection endpoint and compare aud, before the tool does anything, and for every request: a session is not a credential.',
  },
  {
    id: 'mcp-auth-challenge/server/verify-issuer-certificate',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 8414 §6.1; RFC 7662 §4; RFC 9525 §6',
    text: "The server checks the authorization server's TLS certificate where it asks it for keys, or about a token: a trusted authority signed it, and it is for the right host name.",
    observed:
      'Calls with tokens that it has not seen yet, while the authorization server presents a certificate of an unknown authority, or of another host.',
    mend: 'Leave the certificate check of your HTTP client on (no verify=False, rejectUnauthorized: false, InsecureSkipVerify). To trust another authority, give the client a CA file.',
  },
  {
    id: 'mcp-auth-challenge/server/ignore-token-in-url',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'OAuth 2.1 §5.1; RFC 9700 §4.3.2; MCP Authorization, Access Token Usage',
    text: 'A token in the query string is ignored.',
    observed: 'A call without Authorization, and with a valid token as access_token in its URL.',
    mend: 'Read tokens from the Authorization header alone; libraries have a switch for the query string.',
  },
  {
    id: 'mcp-auth-challenge/server/own-account',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 9068 §2.2; RFC 7519 §4.1.2; RFC 7662 §2.2; MCP Authorization, Access Token Usage',
    text: 'Every call is made for the subject of its own token, and tells nothing that another user gets.',
    observed:
      'Calls of a user, of another one and of the first one again, of both at once, and of two whose names differ in case, where results name the account; they name no other user of the run.',
    mend: 'Take the subject from the token of each call, and keep results by it.',
  },
  {
    id: 'mcp-auth-challenge/server/scope-challenge',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'MCP Authorization, Runtime Insufficient Scope Errors',
    text: 'A token without the scopes that the tool needs is answered with insufficient_scope and the scopes, in the result or by HTTP 403.',
    observed:
      'A call with a token for the server that lacks one of them, and has others that are spelt alike, also after a call of the same user with all of them; what the token has already is no answer.',
    mend: 'Answer with Bearer error="insufficient_scope", scope="...", resource_metadata="...", so that the client can ask for more.',
  },
  {
    id: 'mcp-auth-challenge/server/no-secrets-in-output',
    keyword: 'MUST NOT',
    basis: 'best-practice',
    source: 'RFC 6750 §5.2, §5.3',
    text: 'Tokens are in nothing that the server answers or logs.',
    observed:
      'Every answer, standard output and error, and declared logs, scanned for every token, code, verifier and client secret in every encoding.',
    mend: 'Log who called and not with what; never copy a request or an exception into a result.',
  },
]
