/** Defects of the result that challenges. */

import type { CallToolResult } from '@modelcontextprotocol/server'

import type { Defect } from '../variation.ts'
import type { Need } from '../challenge.ts'
import type { Parts } from '../parts.ts'

export const challengeDefects: readonly Defect[] = [
  {
    id: 'challenge-is-no-error',
    description: 'the result that challenges has no isError',
    parts: (defaults) => altered(defaults, ({ isError: _isError, ...result }) => result),
  },
  {
    id: 'later-challenge-is-no-error',
    description: 'a token is challenged by a result that has no isError',
    parts: (defaults) => ({
      challengeResult(challenge, need) {
        const { isError, ...result } = defaults.challengeResult(challenge, need)
        return need.access.kind === 'nobody' ? { ...result, isError: isError === true } : result
      },
    }),
  },
  {
    id: 'challenge-after-use-is-no-error',
    description:
      'once a token was served, the result that challenges a call without one has no isError',
    parts: (defaults) => afterUse(defaults, ({ isError: _isError, ...result }) => result),
  },
  {
    id: 'challenge-after-use-as-object',
    description: 'once a token was served, a call without one is challenged by an object',
    parts: (defaults) =>
      afterUse(defaults, (result, challenge) => withChallenge(result, { challenge })),
  },
  {
    id: 'later-challenge-as-object',
    description: 'a token is challenged by an object with the challenge as a member',
    parts: (defaults) => ({
      challengeResult(challenge, need) {
        const result = defaults.challengeResult(challenge, need)
        return need.access.kind === 'nobody' ? result : withChallenge(result, { challenge })
      },
    }),
  },
  {
    id: 'later-challenge-without-commas',
    description: 'the parameters of a challenge that has an error are separated by blanks',
    parts: (defaults) => ({
      formatChallenge: (parameters) =>
        'error' in parameters
          ? defaults.formatChallenge(parameters).replaceAll('", ', '" ')
          : defaults.formatChallenge(parameters),
    }),
  },
  {
    id: 'modern-challenge-to-nowhere',
    description: 'on revision 2026-07-28 the challenge names metadata that is not there',
    parts: (defaults) => ({
      publicUrlOf(config, headers) {
        const url = defaults.publicUrlOf(config, headers)
        return headers.get('mcp-protocol-version') === '2026-07-28' ? `${url}/nowhere` : url
      },
    }),
  },
  {
    id: 'later-challenge-without-metadata',
    description: 'a challenge that has an error does not say where the metadata is',
    parts: (defaults) => ({
      challengeParameters(need) {
        const { resource_metadata: url = '', ...others } = defaults.challengeParameters(need)
        return 'error' in others ? others : { ...others, resource_metadata: url }
      },
    }),
  },
  {
    id: 'challenge-of-several-lines',
    description: 'a challenge beside the right one has a text of two lines',
    parts: (defaults) => ({
      challengeResult(challenge, need) {
        const result = defaults.challengeResult(challenge, need)
        return withChallenge(result, [challenge, 'Basic realm="notes\r\nof users"'])
      },
    }),
  },
  {
    id: 'challenge-without-content',
    description: 'the result that challenges has no content',
    parts: (defaults) => altered(defaults, (result) => ({ ...result, content: [] })),
  },
  {
    id: 'challenge-with-unseen-text',
    description: 'the text of the result that challenges has no character that is shown',
    parts: (defaults) =>
      altered(defaults, (result) => ({ ...result, content: [{ type: 'text', text: '\u200b' }] })),
  },
  {
    id: 'challenge-with-blank-text',
    description: 'the content of the result that challenges is an empty text',
    parts: (defaults) =>
      altered(defaults, (result) => ({ ...result, content: [{ type: 'text', text: ' ' }] })),
  },
  {
    id: 'challenge-as-object',
    description: 'the challenge is an object with the parameters as members',
    parts: (defaults) => ({
      challengeResult: (challenge, need) =>
        withChallenge(defaults.challengeResult(challenge, need), {
          Bearer: defaults.challengeParameters(need),
        }),
    }),
  },
  {
    id: 'challenge-list-empty',
    description: 'the challenges are an empty array',
    parts: (defaults) => altered(defaults, (result) => withChallenge(result, [])),
  },
  {
    id: 'challenge-outside-meta',
    description: 'the key stands in the result instead of _meta',
    parts: (defaults) =>
      altered(defaults, ({ _meta: meta, ...result }) => ({ ...result, ...meta })),
  },
  {
    id: 'challenge-under-other-key',
    description: 'the key has a hyphen instead of an underscore',
    parts: (defaults) => ({
      challengeResult: (challenge, need) => ({
        ...defaults.challengeResult(challenge, need),
        _meta: { 'mcp/www-authenticate': [challenge] },
      }),
    }),
  },
  {
    id: 'challenge-without-commas',
    description:
      'the parameters of the challenge are separated by blanks, as in the example of SEP-1489',
    parts: (defaults) => ({
      formatChallenge: (parameters) => defaults.formatChallenge(parameters).replaceAll('", ', '" '),
    }),
  },
  {
    id: 'challenge-with-header-name',
    description: 'the challenge begins with the name of the header',
    parts: (defaults) => ({
      formatChallenge: (parameters) => `WWW-Authenticate: ${defaults.formatChallenge(parameters)}`,
    }),
  },
  {
    id: 'challenge-of-other-scheme',
    description: 'the challenge has the scheme OAuth',
    parts: (defaults) => ({
      formatChallenge: (parameters) =>
        defaults.formatChallenge(parameters).replace('Bearer', 'OAuth'),
    }),
  },
  {
    id: 'error-without-token',
    description: 'a call without a token is challenged with invalid_token',
    parts: (defaults) => ({
      challengeParameters: (need) => ({
        error: 'invalid_token',
        ...defaults.challengeParameters(need),
      }),
    }),
  },
  {
    id: 'challenges-one-client-only',
    description: 'clients with another name than the first one are answered by HTTP 401 alone',
    parts: () => ({
      answerByHttp(access, challenge, request) {
        const isKnown = request.headers.get('user-agent')?.startsWith('mcp-client') === true
        if (access.kind === 'user' || isKnown) return undefined
        return new Response(null, { status: 401, headers: { 'www-authenticate': challenge } })
      },
    }),
  },
  {
    id: 'key-for-one-client-only',
    description: 'clients with another name get the error without the key',
    parts: (defaults) => ({
      challengeResult(challenge, need) {
        const { _meta: meta, ...result } = defaults.challengeResult(challenge, need)
        return need.userAgent.startsWith('mcp-client') ? { ...result, _meta: meta } : result
      },
    }),
  },
  {
    id: 'modern-without-result-type',
    description: 'on 2026-07-28 results have no resultType',
    parts: () => ({ answerModern: withResultType(undefined) }),
  },
  {
    id: 'modern-later-without-result-type',
    description: 'on 2026-07-28 results that challenge a token which was sent have no resultType',
    parts: () => ({
      answerModern: (response, request) =>
        request.headers.has('authorization')
          ? withResultType(undefined)(response, request)
          : response,
    }),
  },
  {
    id: 'modern-later-without-error-flag',
    description: 'on 2026-07-28 results that challenge a token which was sent have isError: false',
    parts: () => ({
      answerModern: async (response, request) =>
        request.headers.has('authorization')
          ? new Response(
              (await response.text()).replace('"isError":true', '"isError":false'),
              response,
            )
          : response,
    }),
  },
  {
    id: 'modern-asks-for-input',
    description: 'on 2026-07-28 the challenge has resultType input_required',
    parts: () => ({ answerModern: withResultType('input_required') }),
  },
]

function altered(
  defaults: Parts,
  alter: (result: CallToolResult) => Record<string, unknown>,
): Partial<Parts> {
  return {
    challengeResult: (challenge, need) =>
      // what is wrong with it is the point
      alter(defaults.challengeResult(challenge, need)) as CallToolResult,
  }
}

/** Alters what challenges a call without a token, in a session after one with a token. */
function afterUse(
  defaults: Parts,
  change: (result: CallToolResult, challenge: string) => CallToolResult,
): Partial<Parts> {
  const later = new WeakSet<Need>()
  return {
    createTransport(options) {
      const transport = defaults.createTransport(options)
      const handle = transport.handleRequest.bind(transport)
      let isUsed = false
      transport.handleRequest = (request, more) => {
        const need = more?.authInfo?.extra?.['need'] as Need
        if (need.access.kind === 'user') isUsed = true
        if (need.access.kind === 'nobody' && isUsed) later.add(need)
        return handle(request, more)
      }
      return transport
    },
    challengeResult(challenge, need) {
      const result = defaults.challengeResult(challenge, need)
      return later.has(need) ? change(result, challenge) : result
    },
  }
}

function withChallenge(result: CallToolResult, value: unknown): CallToolResult {
  return { ...result, _meta: { 'mcp/www_authenticate': value } }
}

/** Past the SDK, which sets it. */
function withResultType(resultType: string | undefined): Parts['answerModern'] {
  return async (response) => {
    const text = await response.text()
    const message = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : undefined
    const { result } = message ?? {}
    const isChallenge = text.includes('www_authenticate')
    const changed = isChallenge
      ? { ...message, result: { ...(result as object), resultType } }
      : text
    return new Response(typeof changed === 'string' ? changed : JSON.stringify(changed), {
      status: response.status,
      headers: { 'content-type': response.headers.get('content-type') ?? 'application/json' },
    })
  }
}
