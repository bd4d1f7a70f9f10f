/** Defects of how the user is asked: of whom, with what, and by which message. */

import {
  CLIENT_CAPABILITIES_META_KEY,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/server'

import { ownerOf } from '../access/principal.ts'
import type { Parts } from '../parts.ts'
import type { Defect } from './defect.ts'
import {
  alterElicitation,
  alterHandling,
  alterInputRequired,
  alterInputs,
  alterMessages,
  answerByError,
  fieldsOf,
  messageIn,
  rethrowRequired,
  type Fields,
} from './alter.ts'

export const askingDefects: readonly Defect[] = [
  // ------------------------------------------------------------- capability
  {
    id: 'url-mode-undeclared',
    description: 'a URL is sent to clients that declared no elicitation at all',
    parts: () => ({ supportsUrlMode: () => true }),
  },
  {
    id: 'url-mode-to-form-clients',
    description: 'every client with the capability elicitation is taken for one with URL mode',
    parts: () => ({
      supportsUrlMode: ({ capabilities }) => fieldsOf(capabilities)['elicitation'] !== undefined,
    }),
  },
  {
    id: 'url-mode-of-the-latest-client',
    description: 'what the client of a user declares is kept for the user, until another one comes',
    parts: (defaults) => {
      const latest = new Map<unknown, unknown>()
      return {
        ...alterHandling(defaults, async (handle, request, more) => {
          const { method, params } = fieldsOf(more?.parsedBody ?? (await messageIn(request)))
          if (method === 'initialize')
            latest.set(more?.authInfo?.extra?.['subject'], fieldsOf(params)['capabilities'])
          return handle(request, more)
        }),
        supportsUrlMode: (call) =>
          defaults.supportsUrlMode(
            call.era === 'legacy' && call.principal.kind === 'user'
              ? { ...call, capabilities: latest.get(call.principal.subject) }
              : call,
          ),
      }
    },
  },
  {
    id: 'url-mode-of-any-client-before',
    description: 'a user of whom one call came from a client with URL mode is asked in every other',
    parts: ({ supportsUrlMode }) => {
      const known = new Set<string>()
      return {
        supportsUrlMode(call) {
          const owner = ownerOf(call.principal)
          if (owner === undefined) return supportsUrlMode(call)
          if (supportsUrlMode(call)) known.add(owner)
          return known.has(owner)
        },
      }
    },
  },
  {
    id: 'url-mode-undeclared-in-2026',
    description: 'what a client declares with its request is not looked at (2026-07-28)',
    parts: (defaults) => believingInUrlMode(defaults, () => true),
  },
  {
    id: 'url-mode-of-any-request-before-in-2026',
    description: 'a user of whom one request came with URL mode has it in every other (2026-07-28)',
    parts: (defaults) => {
      const known = new Set<unknown>()
      return believingInUrlMode(defaults, (declared, subject) => {
        if (fieldsOf(fieldsOf(declared)['elicitation'])['url'] !== undefined) known.add(subject)
        return known.has(subject)
      })
    },
  },
  {
    id: 'required-error-undeclared',
    description: 'clients without URL mode get the error -32042',
    parts: (defaults) => {
      const byError = answerByError(defaults, (params) => [params])
      return {
        supportsUrlMode: () => true,
        describeFailure: byError.describeFailure,
        askByRequest: (asking, parts) =>
          defaults.supportsUrlMode(asking.call)
            ? defaults.askByRequest(asking, parts)
            : byError.askByRequest(asking),
      }
    },
  },
  {
    id: 'form-undeclared-in-2026',
    description: 'beside the URL, a result asks for a form that nobody declared (2026-07-28)',
    parts: (defaults) =>
      askForMore(defaults, {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: 'Which items?',
          requestedSchema: { type: 'object', properties: { kind: { type: 'string' } } },
        },
      }),
  },
  {
    id: 'roots-undeclared-in-2026',
    description: 'beside the URL, a result asks for roots that nobody declared (2026-07-28)',
    parts: (defaults) => askForMore(defaults, { method: 'roots/list' }),
  },
  // ------------------------------------------------------------- the request
  {
    id: 'request-without-mode',
    description: 'the request has no mode, so it reads as form mode',
    parts: () => alterElicitation(({ mode: _mode, ...params }) => params),
  },
  {
    id: 'request-without-message',
    description: 'the request has no message',
    parts: () => alterElicitation(({ message: _message, ...params }) => params),
  },
  {
    id: 'request-without-id',
    description: 'the request has no elicitationId',
    parts: () => alterElicitation(({ elicitationId: _id, ...params }) => params),
  },
  {
    id: 'request-with-relative-url',
    description: 'the URL is relative',
    parts: () =>
      alterElicitation(({ url, ...params }) => {
        const { pathname, search } = new URL(String(url))
        return { ...params, url: `${pathname}${search}` }
      }),
  },
  {
    id: 'request-url-with-a-blank',
    description: 'there is a blank in the query of the URL',
    parts: () =>
      alterElicitation(({ url, ...params }) => ({
        ...params,
        url: `${String(url)}&for=your items`,
      })),
  },
  {
    id: 'elicitation-id-constant',
    description: 'all elicitations have the same id on the wire',
    parts: () => alterElicitation((params) => ({ ...params, elicitationId: 'items' })),
  },
  {
    id: 'input-request-without-message',
    description: 'the input request has no message (2026-07-28)',
    parts: (defaults) =>
      alterInputRequired(defaults, (result) =>
        alterInputs(result, (request) => {
          const { message: _message, ...params } = fieldsOf(request['params'])
          return { ...request, params }
        }),
      ),
  },
  {
    id: 'input-request-of-unknown-method',
    description: 'the input request has a method of its own (2026-07-28)',
    parts: (defaults) =>
      alterInputRequired(defaults, (result) =>
        alterInputs(result, (request) => ({ ...request, method: 'items/authorize' })),
      ),
  },
  {
    id: 'input-required-unsaid',
    description: 'a result with input requests does not say that it requires input (2026-07-28)',
    parts: (defaults) => alterInputRequired(defaults, ({ resultType: _type, ...result }) => result),
  },
  {
    id: 'input-required-empty',
    description: 'a result requires input and has neither requests nor state (2026-07-28)',
    parts: (defaults) =>
      alterInputRequired(defaults, () => ({ resultType: 'input_required', inputRequests: {} })),
  },
  {
    id: 'elicitation-id-in-2026',
    description: 'the input request has an elicitationId, which was removed (2026-07-28)',
    parts: (defaults) =>
      alterInputRequired(defaults, (result) =>
        alterInputs(result, (request) => ({
          ...request,
          params: { ...fieldsOf(request['params']), elicitationId: crypto.randomUUID() },
        })),
      ),
  },
  {
    id: 'required-error-in-2026',
    description: 'input is required by the error -32042, which was removed (2026-07-28)',
    parts: (defaults) =>
      alterMessages(defaults, (message) => {
        const { result, ...rest } = message
        const { resultType, inputRequests } = fieldsOf(result)
        if (resultType !== 'input_required') return message
        const elicitations = Object.values(fieldsOf(inputRequests)).map((request) => ({
          elicitationId: crypto.randomUUID(),
          ...fieldsOf(fieldsOf(request)['params']),
        }))
        const error = { code: -32_042, message: 'Authorization required', data: { elicitations } }
        return { ...rest, error }
      }),
  },
  // ------------------------------------------------------------- the error
  {
    id: 'required-error-empty',
    description: 'the error -32042 lists nothing',
    parts: (defaults) => answerByError(defaults, () => []),
  },
  {
    id: 'required-error-of-form-mode',
    description: 'the error -32042 lists an elicitation of form mode',
    parts: (defaults) =>
      answerByError(defaults, ({ elicitationId, message }) => [
        {
          mode: 'form',
          elicitationId,
          message,
          requestedSchema: { type: 'object', properties: { ready: { type: 'boolean' } } },
        },
      ]),
  },
  {
    id: 'required-error-without-ids',
    description: 'the elicitations of the error -32042 have no elicitationId',
    parts: (defaults) => answerByError(defaults, ({ elicitationId: _id, ...params }) => [params]),
  },
  {
    id: 'required-error-though-authorized',
    description: 'a call of a user who has authorized gets the error -32042 all the same',
    parts: (defaults) => {
      let listed = false
      return {
        describeItems(call, items) {
          if (!listed || call.era === 'modern') {
            listed = true
            return defaults.describeItems(call, items)
          }
          throw requiredAnew(defaults)
        },
        describeFailure: rethrowRequired(defaults),
      }
    },
  },
  {
    id: 'asked-whenever-the-api-fails',
    description:
      'when the API fails with a token that has worked, the error -32042 asks for another',
    parts: (defaults) => {
      const worked = new Set<string>()
      return {
        async fetchItems(api, accessToken) {
          try {
            const attempt = await defaults.fetchItems(api, accessToken)
            if (attempt.done) worked.add(accessToken)
            return attempt
          } catch (error) {
            throw worked.has(accessToken) ? requiredAnew(defaults) : error
          }
        },
        describeFailure: rethrowRequired(defaults),
      }
    },
  },
]

/** Asks by the error -32042 for what is there already. */
function requiredAnew({ elicitationMessage: message }: Parts): UrlElicitationRequiredError {
  const elicitationId = crypto.randomUUID()
  const url = `http://127.0.0.1:1/connect?elicitation=${elicitationId}`
  return new UrlElicitationRequiredError([{ mode: 'url', elicitationId, url, message }])
}

/** Requires one more input. */
function askForMore(defaults: Parts, request: Fields) {
  return alterInputRequired(defaults, (result) => ({
    ...result,
    inputRequests: { ...fieldsOf(result['inputRequests']), more: request },
  }))
}

/** Reads URL mode into what requests declare (2026-07-28). */
function believingInUrlMode(
  defaults: Parts,
  when: (declared: unknown, subject: unknown) => boolean,
) {
  return {
    async serveModern(handler, request, auth) {
      const message = fieldsOf(await request.clone().json())
      const params = fieldsOf(message['params'])
      const meta = fieldsOf(params['_meta'])
      if (!when(meta[CLIENT_CAPABILITIES_META_KEY], auth?.extra?.['subject']))
        return defaults.serveModern(handler, request, auth)
      const more = { ...meta, [CLIENT_CAPABILITIES_META_KEY]: { elicitation: { url: {} } } }
      const body = JSON.stringify({ ...message, params: { ...params, _meta: more } })
      const { url, method, headers, signal } = request
      const believed = new Request(url, { method, headers, body, signal })
      return defaults.serveModern(handler, believed, auth)
    },
  } satisfies Partial<Parts>
}
