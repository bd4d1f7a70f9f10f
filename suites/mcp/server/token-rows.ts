/** What the rows about callers' tokens say, whatever their ids. */

import type { Requirement } from '../../../harness/engine/index.ts'

type Row = Omit<Requirement, 'id'>

/** Tokens are accepted only that are valid, and for the endpoint. */
export const validTokens: Row = {
  keyword: 'MUST',
  basis: 'specification',
  source:
    'MCP Authorization, Token Handling; RFC 8707 §2; RFC 7519 §4.1.5; RFC 7662 §4; RFC 8725 §3.1, §3.3, §3.5',
  text: 'A server accepts access tokens only that are valid and were issued for it.',
  observed:
    'Clients whose token is for another resource, for ones whose names begin alike, for nothing, of another issuer or of none that it names, expired, not valid yet, altered in its signature or its claims, cut short, unsigned in any spelling, sealed by a key that everybody has or a secret that anybody guesses, signed by one that it brings along or says where to find, or by its sender, by an algorithm that its header chooses, where the endpoint demands one; a client that goes on with an altered one in its session, or with its own when that has expired, where such tokens are opaque.',
  mend: 'Verify signature, issuer, expiry and audience of the token before anything else is done with the request, by the keys of the issuer and the algorithms that you expect, whatever its header says; keep what you found out about a token no longer than until its expiry; what is not for the endpoint is answered with 401.',
}

/** How it is found out, and mended, that requests without a token are answered. */
export const tokensDemanded = {
  observed:
    'A client without a token, where the endpoint demands one, and a client that goes on without it in the session that it has begun with one.',
  mend: 'Answer requests without a valid access token with 401 before anything else is done with them.',
}

/** The same of users who are known by a session. */
export const notBySession = {
  observed:
    "Another user's client, with a token of its own, goes on in the session of a user who has authorized.",
  mend: 'Keep tokens under the subject of the verified access token, and refuse sessions that belong to another.',
}
