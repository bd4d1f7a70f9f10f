/** Challenges that no flow may follow, and documents that are none. */

import { NotOffered, type Need } from '../../../../../harness/engine/index.ts'
import { check, type Judge } from '../judges/judge.ts'
import { waitsForToken } from '../judges/retrying.ts'
import {
  fetchesNoTrap,
  fetchesNoTrapBehind,
  needsErrorFlag,
  refusesChangedResource,
  refusesOtherResource,
  showsContent,
  shownContent,
  survives,
} from '../judges/refusing.ts'
import { unlessUnreached } from '../../../../oauth-client/scenarios/index.ts'
import {
  bearerFor,
  documentOf,
  metadataOf,
  type Document,
  type Places,
  type Rules,
} from '../rules.ts'
import { metadataChanged } from '../vocabulary.ts'
import { control, scenario } from './define.ts'
import { watchOne } from './watch-one.ts'

/** What may be fetched before anything can be judged: metadata that is looked at, and then refused. */
const variant = (
  id: string,
  title: string,
  rules: Partial<Rules>,
  requirement: string,
  what: string,
  judge: Judge,
) =>
  scenario({
    id,
    title,
    control,
    drive: (fixtures) => watchOne(fixtures, rules),
    checks: [check(requirement, what, judge)],
  })

const documentOfOther = (places: Places): Document =>
  documentOf({ ...metadataOf(places), resource: places.other })

const redirect = (location: string): Document => ({ status: 302, headers: { location }, body: '' })
const wellKnown = '/.well-known/oauth-protected-resource/mcp'

export const noFlowScenarios = [
  variant(
    'no-error-flag',
    'a result has the key, and is not an error',
    { isError: false },
    'mcp-auth-challenge/client/require-error-flag',
    'takes a result that is not an error for what it is',
    needsErrorFlag,
  ),
  scenario({
    id: 'resource-elsewhere',
    title: 'the metadata is that of a resource at another origin',
    control,
    drive: (fixtures) => watchOne(fixtures, { document: documentOfOther }),
    checks: [
      check(
        'mcp-auth-challenge/client/validate-resource',
        'believes no metadata of another origin',
        refusesOtherResource,
      ),
      check(
        'mcp-auth-challenge/client/no-retry-without-token',
        'repeats nothing where no flow can begin',
        waitsForToken,
      ),
    ],
  }),
  variant(
    'resource-beside',
    'the metadata is that of another resource at the same origin',
    {
      document: (places) =>
        documentOf({ ...metadataOf(places), resource: `${places.endpoint}-of-another` }),
    },
    'mcp-auth-challenge/client/validate-resource',
    'believes no metadata of another path',
    refusesOtherResource,
  ),
  variant(
    'resource-begins-alike',
    'the metadata is that of a resource with whose text the URL of the server begins',
    {
      document: (places) =>
        documentOf({ ...metadataOf(places), resource: places.endpoint.slice(0, -1) }),
    },
    'mcp-auth-challenge/client/validate-resource',
    'believes no metadata of a path that begins alike',
    refusesOtherResource,
  ),
  variant(
    'resource-below',
    'the metadata is that of another resource, whose URL begins with that of the server',
    {
      document: (places) =>
        documentOf({ ...metadataOf(places), resource: `${places.endpoint}/of-another` }),
    },
    'mcp-auth-challenge/client/validate-resource',
    'believes no metadata of a path below its own',
    refusesOtherResource,
  ),
  variant(
    'resource-without-tls',
    'the metadata is that of a resource at the same host without TLS',
    {
      document: (places) =>
        documentOf({ ...metadataOf(places), resource: places.endpoint.replace('https:', 'http:') }),
    },
    'mcp-auth-challenge/client/validate-resource',
    'believes no metadata of another scheme',
    refusesOtherResource,
  ),
  variant(
    'resource-in-other-case',
    'the metadata is that of a resource whose path differs in case',
    {
      document: (places) =>
        documentOf({ ...metadataOf(places), resource: places.endpoint.replace(/mcp$/, 'MCP') }),
    },
    'mcp-auth-challenge/client/validate-resource',
    'believes no metadata of a path in another case',
    refusesOtherResource,
  ),
  variant(
    'resource-missing',
    'the metadata does not say of which resource it is',
    { document: (places) => documentOf({ ...metadataOf(places), resource: undefined }) },
    'mcp-auth-challenge/client/validate-resource',
    'believes no metadata of no resource',
    refusesOtherResource,
  ),
  variant(
    'insecure-metadata',
    'the challenge names metadata at a URL without TLS, at another origin',
    {
      challenge: (_, { trap }) => [bearerFor(`${trap}${wellKnown}`)],
    },
    'mcp-auth-challenge/client/no-ssrf',
    'fetches no metadata without TLS',
    fetchesNoTrap,
  ),
  variant(
    'redirected-metadata',
    'the metadata redirects to a URL without TLS',
    { document: ({ trap }) => redirect(`${trap}${wellKnown}`) },
    'mcp-auth-challenge/client/no-ssrf',
    'follows no redirect to where there is no TLS',
    fetchesNoTrapBehind,
  ),
  variant(
    'insecure-issuer',
    'the metadata names an authorization server without TLS',
    {
      document: (places) =>
        documentOf({ ...metadataOf(places), authorization_servers: [places.trap] }),
    },
    'mcp-auth-challenge/client/no-ssrf',
    'fetches nothing of an authorization server without TLS',
    fetchesNoTrapBehind,
  ),
]

/** Who read the metadata once may go on with it, and who was denied once need not ask again. */
const readAgain: Need = {
  what: 'metadata that is read for a second flow',
  seen: () => undefined,
}

/** Metadata is looked at every time, not only the first one (RFC 9728 §3.3). */
export const changedResource = scenario({
  id: 'resource-elsewhere-later',
  title: 'its user has denied and calls again, and the metadata is now that of another resource',
  control,
  needs: readAgain,
  async drive({ open, user, observe, mark }) {
    const client = open(user)
    const denied = client.begin()
    await user.deny(denied)
    await denied.settle()
    mark(metadataChanged)
    let isRead = false
    const document = (places: Places): Document => {
      isRead = true
      return documentOfOther(places)
    }
    for (const server of await client.servers()) server.follow({ document })
    const call = client.begin()
    await call.attempted()
    await call.reopened()
    await observe()
    if (!isRead) throw new NotOffered('it did not read the metadata again')
  },
  checks: [
    check(
      'mcp-auth-challenge/client/validate-resource',
      'believes no metadata that has become that of another resource',
      refusesChangedResource,
    ),
  ],
})

/** The first server challenges with what cannot be used, and then serves everybody. */
const broken = (id: string, title: string, document: Document) =>
  scenario({
    id,
    title,
    control,
    async drive({ open, user, observe }) {
      const client = open(user, { rules: { document: () => document } })
      const first = client.begin()
      await first.attempted()
      await observe()
      // Who goes on with what it was configured with may wait for its user.
      if (first.view().opened.length > 0) await user.deny(first).catch(unlessUnreached)
      for (const server of await client.servers()) server.follow({ serves: 'all' })
      await client.begin().served()
    },
    checks: [check('mcp-auth-challenge/client/survive-bad-metadata', 'survives it', survives)],
  })

const json = { 'content-type': 'application/json' }

export const brokenMetadataScenarios = [
  broken('metadata-500', 'the metadata is answered by HTTP 500', {
    status: 500,
    headers: { 'content-type': 'text/plain' },
    body: 'Internal Server Error',
  }),
  broken('metadata-malformed', 'the metadata is JSON, and no metadata', {
    status: 200,
    headers: json,
    body: '[{"resource": 1, "authorization_servers": "https://"}]',
  }),
  broken('metadata-truncated', 'the metadata ends in the middle', {
    status: 200,
    headers: json,
    body: '{"resource": "https:',
  }),
]

const absent: Document = {
  status: 404,
  headers: { 'content-type': 'text/plain' },
  body: 'Not Found',
}

/** Says something of any client, whether or not it follows challenges. */
export const foreignScheme = scenario({
  id: 'foreign-scheme',
  title: 'the result challenges with schemes that lead to no flow',
  async drive({ open, user }) {
    const challenge = () => ['Negotiate', 'Basic realm="items"']
    // Who looks for metadata all the same, as for any HTTP 401, finds none.
    const rules = { challenge, document: () => absent }
    const call = open(user, { rules }).begin()
    await call.attempted()
    await call.shown(shownContent)
  },
  checks: [
    check('mcp-auth-challenge/client/show-content', 'shows what the server wrote', showsContent),
  ],
})
