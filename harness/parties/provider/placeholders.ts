/** What a configuration may say in braces about the provider. */

/** Of the mock provider and the API that it protects. */
export const providerPlaceholders = {
  'ca.file': 'the certificate authority of this run, PEM',
  'hosts.file':
    'a hosts file with the names of the provider, for libraries that take one of their own',
  'provider.issuer': 'the provider; its metadata is at /.well-known/oauth-authorization-server',
  'provider.authorizationEndpoint': 'its authorization endpoint',
  'provider.tokenEndpoint': 'its token endpoint',
  'provider.parEndpoint': 'its endpoint for pushed authorization requests (RFC 9126)',
  'provider.registrationEndpoint': 'its endpoint for dynamic client registration (RFC 7591)',
  'provider.revocationEndpoint': 'its revocation endpoint (RFC 7009)',
  'provider.introspectionEndpoint': 'its introspection endpoint (RFC 7662)',
  'provider.userinfoEndpoint': 'its userinfo endpoint',
  'provider.jwksUri': 'its keys',
  'provider.clientId': 'the registered client',
  'provider.clientSecret': 'the secret of that client',
  'provider.scopes': 'the scopes that it may ask for, separated by blanks',
  'resource.url': 'the protected API: GET and POST {resource.url}/items',
} as const
