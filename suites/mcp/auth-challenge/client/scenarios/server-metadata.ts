/** Metadata of an authorization server that no flow may follow. */

import { NotOffered, type Need } from '../../../../../harness/engine/index.ts'
import type { FaultSpec } from '../../../../../harness/parties/user/user-agent.ts'
import { unsafeUrls } from '../../../client/unsafe-urls.ts'
import { check, type Judge } from '../judges/judge.ts'
import {
  asksImpostorNothing,
  fetchesNothingInClear,
  opensNoUnsafeEndpoint,
  redeemsNothingInClear,
  refusesOtherIssuer,
  refusesWithoutPkce,
} from '../judges/refusing.ts'
import { control, scenario } from './define.ts'
import { watchOne } from './watch-one.ts'

/** The issuer has to be the same, character by character (RFC 8414 §3.3). */
const otherIssuers = [
  [
    'issuer-of-another',
    'the metadata of the authorization server names another issuer',
    'discovery-issuer-wrong',
    'believes no metadata of another issuer',
  ],
  [
    'issuer-begins-alike',
    'the metadata of the authorization server names an issuer whose URL begins with the right one',
    'discovery-issuer-extended',
    'believes no metadata of an issuer that begins alike',
  ],
  [
    'issuer-unnamed',
    'the metadata of the authorization server names no issuer',
    'discovery-without-issuer',
    'believes no metadata of no issuer',
  ],
] as const

/** What is not listed is not supported (RFC 8414 §2); MCP clients verify that PKCE is (Authorization Code Protection). */
const withoutPkce = [
  [
    'pkce-not-advertised',
    'the metadata of the authorization server says nothing of PKCE',
    ['discovery-without-pkce'],
    'refuses an authorization server that does not say that it supports PKCE',
  ],
  [
    'pkce-by-no-method',
    'the metadata of the authorization server has an empty list of the methods of PKCE',
    ['discovery-pkce-by-no-method'],
    'refuses an authorization server that supports no method of PKCE',
  ],
  [
    'pkce-not-advertised-by-openid',
    'the metadata of the authorization server is that of OpenID Connect alone, and says nothing of PKCE',
    ['discovery-without-oauth-metadata', 'discovery-without-pkce'],
    'refuses an OpenID provider that does not say that it supports PKCE',
  ],
] as const

/** What the metadata names in place of the authorization endpoint. */
const unsafeEndpoints = [
  // The official SDK takes no metadata with a script, so that no defect could show such a check to fail.
  ...unsafeUrls.filter(([kind]) => ['file', 'program', 'begins-alike'].includes(kind)),
  [
    'holds-https',
    'for another program, with a web page behind it',
    'com.example.of-nobody://run?what=https://accounts.good.example/authorize',
  ],
  ['http', 'at a site without TLS', 'http://accounts.good.example/authorize'],
] as const

/** A provider of its own has these faults. */
const faulty = (
  id: string,
  title: string,
  faults: readonly FaultSpec[],
  requirement: string,
  what: string,
  judge: Judge,
) =>
  scenario({
    id,
    title,
    control,
    ownInstance: true,
    drive: async ({ ownInstance }) => watchOne(await ownInstance(...faults)),
    checks: [check(requirement, what, judge)],
  })

/** At a fixed place the providers of a run come one after the other. */
const secondProvider: Need = {
  what: 'a provider beside the first one',
  seen: () => undefined,
}

const insecureTokenEndpoint = scenario({
  id: 'insecure-token-endpoint',
  title: 'the metadata of the authorization server names a token endpoint without TLS',
  control,
  ownInstance: true,
  needs: secondProvider,
  async drive({ ownInstance, elsewhere, issuer }) {
    const fault = { fault: 'discovery-token-endpoint-of-another', value: elsewhere() } as const
    const own = await ownInstance(fault)
    if (own.issuer === issuer) throw new NotOffered(secondProvider.what)
    const call = own.open(own.user).begin()
    await call.attempted()
    // Who looks at the endpoint only when they have a code may begin a flow.
    if (await call.opens()) await own.user.approve(call)
    await own.observe()
  },
  checks: [
    check(
      'mcp-auth-challenge/client/no-ssrf',
      'sends no code where there is no TLS',
      redeemsNothingInClear,
    ),
  ],
})

const metadataOfImpostor = scenario({
  id: 'certificate-of-impostor-at-metadata',
  title:
    'the metadata of the authorization server comes by a certificate from an authority that the client does not know',
  control,
  ownInstance: true,
  async drive({ ownInstance }) {
    const own = await ownInstance()
    const takeOver = await own.impostor('unknown-authority')
    takeOver()
    await watchOne(own)
  },
  checks: [
    check(
      'oauth-client/verify-provider-certificate',
      'asks it for no metadata',
      asksImpostorNothing,
    ),
  ],
})

const redirectedServerMetadata = scenario({
  id: 'redirected-server-metadata',
  title: 'the metadata of the authorization server redirects to a URL without TLS',
  control,
  ownInstance: true,
  needs: secondProvider,
  async drive({ ownInstance, elsewhere, issuer }) {
    const own = await ownInstance({ fault: 'discovery-redirect', value: elsewhere() })
    if (own.issuer === issuer) throw new NotOffered(secondProvider.what)
    await watchOne(own)
  },
  checks: [
    check(
      'mcp-auth-challenge/client/no-ssrf',
      'follows no redirect of an authorization server to where there is no TLS',
      fetchesNothingInClear,
    ),
  ],
})

export const serverMetadataScenarios = [
  ...otherIssuers.map(([id, title, fault, what]) =>
    faulty(
      id,
      title,
      [fault],
      'mcp-auth-challenge/client/validate-metadata-issuer',
      what,
      refusesOtherIssuer,
    ),
  ),
  ...unsafeEndpoints.map(([kind, what, value]) =>
    faulty(
      `unsafe-endpoint-${kind}`,
      `the metadata of the authorization server names an authorization endpoint that is ${what}`,
      [{ fault: 'discovery-authorization-endpoint-of-another', value }],
      'mcp-auth-challenge/client/refuse-unsafe-url',
      'opens nothing but web pages with TLS',
      opensNoUnsafeEndpoint,
    ),
  ),
  ...withoutPkce.map(([id, title, faults, what]) =>
    faulty(
      id,
      title,
      faults,
      'mcp-auth-challenge/client/verify-pkce-support',
      what,
      refusesWithoutPkce,
    ),
  ),
  insecureTokenEndpoint,
  redirectedServerMetadata,
  metadataOfImpostor,
]
