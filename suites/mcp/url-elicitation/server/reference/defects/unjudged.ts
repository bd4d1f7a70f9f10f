/**
 * Defects that no check of the suite judges by now: those of the access tokens of the endpoint, of what a revision
 * has removed, and of what only a browser would see. Whatever comes to be judged is struck off here.
 */
export const unjudged: ReadonlySet<string> = new Set([
  'elicitation-id-in-2026',
  'token-in-query-accepted',
  'metadata-without-server',
  'login-redirects-anywhere',
  'client-token-in-log',
  'resource-not-named',
  'exchange-repeated',
  'token-in-query',
])
