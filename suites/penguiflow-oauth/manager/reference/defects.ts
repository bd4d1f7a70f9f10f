/** The deliberate defects of this manager: what each does, one line each. `defects.py` has them. */

import type { Defect } from './variation.ts'

export const defects: readonly Defect[] = [
  { id: 'response-type-missing', description: 'the authorization request has no response_type' },
  { id: 'scope-missing', description: 'the authorization request has no scope' },
  { id: 'more-scopes', description: 'it asks for a scope more than it is configured with' },
  { id: 'secret-in-url', description: 'the client secret stands in the authorization URL' },
  { id: 'no-pkce', description: 'it sends neither challenge nor verifier' },
  { id: 'request-not-encoded', description: 'the query of the URL is put together as it is' },
  { id: 'endpoint-query-lost', description: 'the endpoint is followed by a question mark always' },
  { id: 'other-state-in-payload', description: 'the state of the payload is not that of the URL' },
  { id: 'other-scopes-in-payload', description: 'the payload names other scopes than the URL' },
  { id: 'any-scheme', description: 'users are sent to endpoints with plain http' },
  {
    id: 'loopback-by-prefix',
    description:
      'users are sent to plain http where the URL begins like one of the loopback interface',
  },
  {
    id: 'http-with-port',
    description: 'users are sent to endpoints with plain http where a port is named',
  },
  {
    id: 'http-in-capitals',
    description: 'users are sent to endpoints with plain http where HTTP is written in capitals',
  },
  {
    id: 'scopes-of-second-in-payload',
    description: 'the payload of a pause for the second provider names other scopes',
  },
  {
    id: 'denial-alone-is-an-error',
    description: 'a callback with a code and an error that is no denial is redeemed',
  },
  {
    id: 'users-without-separators',
    description: 'tokens are kept under the letters and digits of a user alone',
  },
  {
    id: 'any-provider',
    description: 'for a provider that it does not know it takes the first one',
  },
  { id: 'counted-state', description: 'states are numbers that count up' },
  {
    id: 'random-alike-in-every-process',
    description: 'states come from a generator that every process seeds alike',
  },
  {
    id: 'state-ignored',
    description: 'a callback of an unknown state is redeemed all the same, without PKCE',
  },
  {
    id: 'stored-for-first-provider',
    description: 'every token is stored as that of the first provider',
  },
  {
    id: 'redeemed-as-first-client',
    description: 'every code is redeemed as the client of the first provider',
  },
  {
    id: 'first-client-for-all',
    description: 'the client of the first provider is that of the second, too',
  },
  { id: 'first-flow-kept', description: 'while a user is away, no other flow of theirs is kept' },
  { id: 'an-hour-always', description: 'tokens are kept for an hour, whatever expires_in says' },
  { id: 'state-in-any-case', description: 'upper and lower case of a state are one' },
  { id: 'state-with-more', description: 'of a state what follows the right one is not looked at' },
  { id: 'state-kept', description: 'a state stays valid after its callback' },
  { id: 'state-dropped-late', description: 'a state is dropped when its token is stored' },
  {
    id: 'dropped-before-compared',
    description:
      'a flow is found by the beginning of its state, and dropped before the rest is compared',
  },
  { id: 'issuer-ignored', description: 'the iss of a callback is not compared' },
  {
    id: 'error-ignored',
    description: 'the error of a callback is not looked at where there is a code',
  },
  { id: 'whatever-comes', description: 'a denial is redeemed like a code' },
  { id: 'user-of-callback', description: 'the callback says for whom the token is stored' },
  { id: 'flows-forgotten-early', description: 'flows are forgotten after five minutes' },
  { id: 'flows-never-expire', description: 'flows wait for ever' },
  {
    id: 'flows-young-after-restart',
    description:
      'when a user was sent away is kept in memory, so that it is forgotten in a restart',
  },
  {
    id: 'flows-anew-at-restart',
    description: 'the time of every flow begins anew with a restart',
  },
  { id: 'flows-in-memory', description: 'flows are kept in memory, whatever store there is' },
  { id: 'failures-stored', description: 'an exchange that fails is taken for a success' },
  {
    id: 'failures-retried',
    description: 'an exchange that fails is tried again, with the same code',
  },
  {
    id: 'failures-stumble',
    description: 'an exchange that fails is reported as a stray TypeError',
  },
  {
    id: 'failures-without-words',
    description: 'an exchange that fails is reported without a word',
  },
  {
    id: 'error-text-handed-on',
    description: 'a callback is refused in the words of the token endpoint',
  },
  {
    id: 'unknown-state-stumbles',
    description: 'a callback of an unknown, used or expired state is reported as a stray KeyError',
  },
  { id: 'denial-stumbles', description: 'a denial is reported as a stray KeyError' },
  { id: 'status-ignored', description: 'the status of a token response is not looked at' },
  { id: 'any-value-is-a-token', description: 'whatever stands in access_token is stored' },
  { id: 'type-ignored', description: 'the type of a token is not looked at' },
  { id: 'type-compared-exactly', description: 'a token type in lower case is refused' },
  { id: 'lifetime-added', description: 'expires_in is added to the time as it came' },
  { id: 'lifetime-required', description: 'without expires_in there is a KeyError' },
  { id: 'redirects-followed', description: 'the token request follows redirects, secrets and all' },
  {
    id: 'code-in-query',
    description: 'the token endpoint is tried by GET first, with the code in its URL',
  },
  {
    id: 'basic-not-encoded',
    description: 'client id and secret go into Basic without being form-encoded',
  },
  {
    id: 'redirect-uri-without-its-query',
    description: 'the token request has the redirect URI without its query',
  },
  { id: 'code-not-encoded', description: 'the code is put into the body as it is' },
  { id: 'code-in-errors', description: 'a callback is refused in words that have the code' },
  {
    id: 'secret-in-errors',
    description: 'a callback is refused in words that have the client secret',
  },
  { id: 'callback-logged', description: 'callbacks are logged, code and all' },
  { id: 'token-of-name', description: 'users whose names end alike share a token' },
  { id: 'tenant-cut-off', description: 'tokens are kept by the name within the tenant' },
  {
    id: 'users-as-file-names',
    description: 'tokens are kept by the name with _ for every character but letters and digits',
  },
  { id: 'users-in-lower-case', description: 'tokens are kept by the name in lower case' },
  { id: 'users-cut-short', description: 'tokens are kept by the first 24 characters of the name' },
  { id: 'users-without-accents', description: 'tokens are kept by the name without its accents' },
  {
    id: 'users-in-compatible-form',
    description: 'tokens are kept by the name in the form NFKC of Unicode',
  },
  { id: 'users-trimmed', description: 'tokens are kept by the name without blanks around it' },
  {
    id: 'users-in-a-column',
    description: 'tokens are kept by the first 64 characters of the name',
  },
  {
    id: 'users-in-a-wide-column',
    description: 'tokens are kept by the first 255 characters of the name',
  },
  {
    id: 'tokens-per-tenant',
    description: 'tokens are kept by the tenant, for all of its users together',
  },
  { id: 'one-token-per-user', description: 'tokens are kept by the user alone' },
  { id: 'tokens-used-once', description: 'a token is forgotten when it is used' },
  { id: 'tokens-in-memory', description: 'tokens are kept in memory, whatever store there is' },
  {
    id: 'expiry-not-stored',
    description: 'when a token expires is kept in memory, so that it is forgotten in a restart',
  },
  { id: 'first-token-kept', description: 'the first token of a user is never replaced' },
  { id: 'expiry-ignored', description: 'a token is used however old it is' },
  {
    id: 'expired-when-not-refreshed',
    description: 'a token is refreshed, and used further when that is refused',
  },
  {
    id: 'expired-asked-for-once',
    description: 'another token is asked for once, and the expired one used when none was given',
  },
  { id: 'leeway-the-wrong-way', description: 'a token is used for a minute longer than it lives' },
  { id: 'lifetime-cut', description: 'no token is used for longer than five minutes' },
  {
    id: 'tokens-never-found',
    description: 'a token is looked for under another name than it was stored under',
  },
  {
    id: 'stale-state-when-asked-again',
    description: 'when a run pauses once more, the payload has the state of its first pause',
  },
]
