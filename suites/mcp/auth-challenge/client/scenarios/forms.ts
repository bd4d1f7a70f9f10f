/** The other forms that a challenge may have, and the revision without a handshake. */

import { acceptsForm, asksForOfferedScopes } from '../judges/following.ts'
import { check } from '../judges/judge.ts'
import { retriesOnce } from '../judges/retrying.ts'
import { needsModern } from '../conditions.ts'
import { bearerFor, documentOf, metadataOf, type Places, type Rules } from '../rules.ts'
import type { Fixtures } from '../test-bed.ts'
import { neededScope } from '../vocabulary.ts'
import { control, scenario } from './define.ts'

const signIn =
  (rules: Partial<Rules>) =>
  async ({ open, user }: Fixtures): Promise<void> => {
    const call = open(user, { rules }).begin()
    await user.approve(call)
    await call.served()
  }

/** A place that nobody guesses. */
const ownMetadataPath = '/about/this-resource.json'

/** Where a challenge names no metadata, both forms of the well-known URI are tried in this order (RFC 9728 §3.1). */
const atRoot = '/.well-known/oauth-protected-resource'
const unnamed: readonly (readonly [kind: string, where: string, rules: Partial<Rules>])[] = [
  [
    'path',
    'with the path of the endpoint, and other metadata at the root',
    {
      document: (places, path) =>
        documentOf(path === atRoot ? metadataOfHost(places) : metadataOf(places)),
    },
  ],
  ['root', 'at the root', { metadataPath: atRoot }],
]

/** What the host of several servers says of itself: it has an authorization server that nobody can reach. */
const metadataOfHost = (places: Places) => ({
  ...metadataOf(places),
  resource: new URL(places.endpoint).origin,
  authorization_servers: ['https://another-issuer.example'],
})

/** An authorization server has to have one of both, and a client has to look for both. */
const oneKind = [
  ['oauth', 'RFC 8414', 'discovery-without-openid-metadata'],
  ['openid', 'OpenID Connect Discovery', 'discovery-without-oauth-metadata'],
] as const

/** Where the issuer has a path: MCP Authorization, Authorization Server Metadata Discovery. */
const issuerPath = '/tenant-1'
const placesOfIssuer = [
  ['oauth', 'by RFC 8414', `/.well-known/oauth-authorization-server${issuerPath}`],
  [
    'openid-inserted',
    'by OpenID Connect Discovery, with its path behind the well-known one',
    `/.well-known/openid-configuration${issuerPath}`,
  ],
  [
    'openid-appended',
    'by OpenID Connect Discovery, with its path before the well-known one',
    `${issuerPath}/.well-known/openid-configuration`,
  ],
] as const

export const formScenarios = [
  scenario({
    id: 'string',
    title: 'the challenge is a string, and no array of one',
    control,
    drive: signIn({ challenge: (bearer) => bearer }),
    checks: [
      check(
        'mcp-auth-challenge/client/accept-string',
        'understands a string',
        acceptsForm('a challenge that is a string'),
      ),
    ],
  }),
  scenario({
    id: 'list',
    title: 'the Bearer challenge is the second string of the array',
    control,
    drive: signIn({ challenge: (bearer) => ['Negotiate', bearer] }),
    checks: [
      check(
        'mcp-auth-challenge/client/accept-list',
        'finds the Bearer challenge among several strings',
        acceptsForm('an array with another scheme before Bearer'),
      ),
    ],
  }),
  scenario({
    id: 'list-in-string',
    title: 'one string holds two challenges, Bearer being the second, and the first quotes another',
    control,
    drive: signIn({
      challenge: (bearer, { trap }) => [
        `Basic realm="items, Bearer resource_metadata=${trap}", ${bearer}`,
      ],
    }),
    checks: [
      check(
        'mcp-auth-challenge/client/accept-list',
        'finds the Bearer challenge behind another one',
        acceptsForm('a string in which Bearer stands behind another challenge'),
      ),
    ],
  }),
  scenario({
    id: 'scheme-in-lower-case',
    title: 'the scheme is spelled in lower case, and its first parameter is another one',
    control,
    drive: signIn({
      challenge: (bearer) => [bearer.replace(/^Bearer /, 'bearer realm="items, and notes", ')],
    }),
    checks: [
      check(
        'mcp-auth-challenge/client/follow-chain',
        'knows the scheme in any case (RFC 9110 §11.1)',
        acceptsForm('a challenge whose scheme is spelled "bearer"'),
      ),
    ],
  }),
  scenario({
    id: 'parameters-in-other-case',
    title:
      'the names of parameters are spelled in another case, with blanks around what follows them',
    control,
    drive: signIn({
      metadataPath: ownMetadataPath,
      challenge: (_, { metadata }) => [
        `Bearer Resource_Metadata = "${metadata}", SCOPE = "${neededScope}"`,
      ],
    }),
    checks: [
      check(
        'mcp-auth-challenge/client/follow-chain',
        'knows parameters in any case, and blanks around "=" (RFC 9110 §11.2)',
        acceptsForm('a challenge with \'Resource_Metadata = "..."\''),
      ),
    ],
  }),
  scenario({
    id: 'scope-unnamed',
    title: 'the challenge names no scope, and the metadata two',
    control,
    drive: signIn({
      challenge: (_, { metadata }) => [`Bearer resource_metadata="${metadata}"`],
    }),
    checks: [
      check(
        'mcp-auth-challenge/client/follow-chain',
        'follows it nevertheless',
        acceptsForm('a challenge without scope'),
      ),
      check(
        'mcp-auth-challenge/client/scopes-of-metadata',
        'requests the scopes of the metadata',
        asksForOfferedScopes,
      ),
    ],
  }),
  scenario({
    id: 'metadata-elsewhere',
    title: 'the metadata stands where the challenge says, and not at a well-known URI',
    control,
    drive: signIn({ metadataPath: ownMetadataPath }),
    checks: [
      check(
        'mcp-auth-challenge/client/follow-chain',
        'fetches the metadata that the challenge names',
        acceptsForm('a challenge that names metadata at a path of its own'),
      ),
    ],
  }),
  ...unnamed.map(([kind, where, rules]) =>
    scenario({
      id: `metadata-unnamed-${kind}`,
      title: `the challenge names no metadata, which stands at the well-known URI ${where}`,
      control,
      drive: signIn({ ...rules, challenge: () => [bearerFor(undefined)] }),
      checks: [
        check(
          'mcp-auth-challenge/client/find-unnamed-metadata',
          'finds the metadata at the well-known URI',
          acceptsForm(`a challenge without resource_metadata, with metadata ${where},`),
        ),
      ],
    }),
  ),
  ...oneKind.map(([kind, document, fault]) =>
    scenario({
      id: `metadata-of-${kind}-alone`,
      title: `the authorization server has metadata by ${document} alone`,
      control,
      ownInstance: true,
      drive: async ({ ownInstance }) => signIn({})(await ownInstance(fault)),
      checks: [
        check(
          'mcp-auth-challenge/client/follow-chain',
          `finds metadata by ${document}`,
          acceptsForm(`an authorization server with metadata by ${document} alone`),
        ),
      ],
    }),
  ),
  ...placesOfIssuer.map(([kind, where, value]) =>
    scenario({
      id: `issuer-with-path-${kind}`,
      title: `the issuer has a path, and its metadata stands at one place: ${where}`,
      control,
      ownInstance: true,
      drive: async ({ ownIssuer }) =>
        signIn({})(await ownIssuer(issuerPath, { fault: 'discovery-at-one-place', value })),
      checks: [
        check(
          'mcp-auth-challenge/client/follow-chain',
          'finds the metadata of an issuer with a path',
          acceptsForm(`an authorization server whose issuer has a path, with metadata ${where},`),
        ),
      ],
    }),
  ),
  scenario({
    id: 'modern',
    title: 'without a handshake: revision 2026-07-28',
    control,
    notApplicable: needsModern,
    async drive({ open, user, observe }) {
      const call = open(user, { modern: true }).begin()
      await user.approve(call)
      await call.served()
      await observe()
    },
    checks: [
      check(
        'mcp-auth-challenge/client/follow-chain',
        'follows it there, too',
        acceptsForm('a challenge on revision 2026-07-28'),
      ),
      check('mcp-auth-challenge/client/retry-with-token', 'makes the call again', retriesOnce),
    ],
  }),
]
