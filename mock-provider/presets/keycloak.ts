/** Keycloak 26, as it is without its experimental features. */
import type { Preset } from './deviation.ts'
import { ignoreResource } from './rewrite.ts'

const endpoints = 'https://www.keycloak.org/securing-apps/oidc-layers'
const client = 'arctic 3, src/providers/keycloak.ts'
const forMcp = 'https://www.keycloak.org/securing-apps/mcp-authz-server'

/** A realm may be the path of the issuer, or there may be one issuer for all of them. */
const inRealm = (path: string) => ['', '/realms/:realm'].map((realm) => `${realm}${path}`)

export const keycloak: Preset = {
  title: 'Keycloak',
  deviations: {
    'keycloak-authorize-path': {
      description:
        'has its authorization endpoint at /realms/{realm}/protocol/openid-connect/auth, and ignores resource there',
      source: `${endpoints}; ${forMcp}; ${client}`,
      verified: true,
      at: 'authorize',
      paths: inRealm('/protocol/openid-connect/auth'),
      understand: ignoreResource,
    },
    'keycloak-token-path': {
      description:
        'has its token endpoint at /realms/{realm}/protocol/openid-connect/token, and ignores resource there',
      source: `${endpoints}; ${forMcp}; ${client}`,
      verified: true,
      at: 'token',
      paths: inRealm('/protocol/openid-connect/token'),
      understand: ignoreResource,
    },
    'keycloak-revoke-path': {
      description: 'revokes at /realms/{realm}/protocol/openid-connect/revoke',
      source: `${endpoints}; ${client}`,
      verified: true,
      at: 'revoke',
      paths: inRealm('/protocol/openid-connect/revoke'),
    },
    'keycloak-keys-path': {
      description: 'publishes its keys at /realms/{realm}/protocol/openid-connect/certs',
      source: endpoints,
      verified: true,
      at: 'jwks',
      paths: inRealm('/protocol/openid-connect/certs'),
    },
    'keycloak-userinfo-path': {
      description: 'tells about the user at /realms/{realm}/protocol/openid-connect/userinfo',
      source: endpoints,
      verified: true,
      at: 'userinfo',
      paths: inRealm('/protocol/openid-connect/userinfo'),
    },
    'keycloak-registration-path': {
      description: 'registers clients at /realms/{realm}/clients-registrations/openid-connect',
      source: 'https://www.keycloak.org/securing-apps/client-registration',
      verified: false,
      at: 'register',
      paths: inRealm('/clients-registrations/openid-connect'),
    },
    'keycloak-pkce-optional': {
      description: 'does not demand PKCE unless the client is set so',
      source: 'https://phasetwo.io/tutorials/emerging/mcp-server-auth/',
      verified: true,
      options: { pkce: 'optional' },
    },
  },
}
