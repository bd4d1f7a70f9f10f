// A toolset for GitHub, with GitHub's own client libraries: it knows github.com and api.github.com, and nothing else.
//
//   GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET   our OAuth app
import { createHash } from 'node:crypto'
import { exchangeWebFlowCode, getWebFlowAuthorizationUrl } from '@octokit/oauth-methods'
import { request } from '@octokit/request'
import { Problem, serve } from '../plain-node/toolset.mjs'

const clientType = 'oauth-app'
const clientId = process.env.GITHUB_CLIENT_ID
const clientSecret = process.env.GITHUB_CLIENT_SECRET
const scopes = ['read:user']

/** What GitHub answered, whatever the status; a `Problem` where it did not answer. */
async function whoAmI(token) {
  try {
    const headers = { authorization: `Bearer ${token}` }
    const { status, data } = await limited(request.defaults({ headers }))('GET /user')
    return { status, body: data, unfit: false }
  } catch (error) {
    if (!error.response) throw new Problem('GitHub did not answer. Please try again later.')
    return { status: error.status, body: null, unfit: error.status === 401 }
  }
}

function limited(asking) {
  return asking.defaults({ request: { redirect: 'manual', signal: AbortSignal.timeout(2_000) } })
}

const operations = new Map([
  [
    'who_am_i',
    {
      scope: 'read:user',
      description: 'Tells who the user is at GitHub.',
      annotations: { requiresAuth: 'github', readOnly: true },
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      accepts: (args) => Object.keys(args).length === 0,
      run: (args, token) => whoAmI(token),
      tell: ({ login, id }) => `${login} (${id})`,
    },
  ],
])

serve({
  name: 'github',
  title: 'GitHub',
  build: 'octokit',
  operations,
  allows: (scope) => scopes.includes(scope),
  authorizationUrl({ state, verifier, redirectUri }) {
    const asked = { clientType, clientId, redirectUrl: redirectUri, scopes, state }
    const { url } = getWebFlowAuthorizationUrl({ ...asked, allowSignup: false })
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    return `${url}&code_challenge=${challenge}&code_challenge_method=S256`
  },
  async exchange({ code, verifier, redirectUri }) {
    try {
      const { authentication } = await exchangeWebFlowCode({
        clientType,
        clientId,
        clientSecret,
        code,
        redirectUrl: redirectUri,
        request: limited(request).defaults({ code_verifier: verifier }),
      })
      const { token } = authentication
      return { grant: { access: token, scope: scopes.join(' '), expires: null } }
    } catch {
      return { refused: true }
    }
  },
  refresh: () => ({ refused: true }),
})
