/** Defects of which calls are served, and of what those are told that are not. */

import { randomUUID } from 'node:crypto'

import type { Defect } from '../variation.ts'

export const accessDefects: readonly Defect[] = [
  {
    id: 'token-not-accepted',
    description: 'a valid token is challenged as well',
    parts: () => ({ accessOf: () => ({ kind: 'invalid' }) }),
  },
  {
    id: 'scheme-compared-with-case',
    description: 'a token whose scheme is not written Bearer is none',
    parts: (defaults) => ({
      bearerToken: (request) =>
        request.headers.get('authorization')?.startsWith('Bearer ') === true
          ? defaults.bearerToken(request)
          : undefined,
    }),
  },
  {
    id: 'token-refused-by-http',
    description: 'a call with a token is answered by HTTP 401',
    parts: () => ({
      answerByHttp: (access) =>
        access.kind === 'nobody' ? undefined : new Response(null, { status: 401 }),
    }),
  },
  {
    id: 'data-in-challenge',
    description: 'the result that challenges holds the notes all the same',
    parts: (defaults) => ({
      listNotes: () => defaults.listNotes('everybody'),
      challengeResult(challenge, need) {
        const { content } = defaults.listNotes('everybody')
        const result = defaults.challengeResult(challenge, need)
        return { ...result, content: [...result.content, ...content] }
      },
    }),
  },
  {
    id: 'data-before-challenge',
    description: 'the notes are fetched, and logged to the client, before the challenge',
    parts: (defaults) => ({
      createTransport(options) {
        const transport = defaults.createTransport(options)
        const handle = transport.handleRequest.bind(transport)
        transport.handleRequest = async (request, ...rest) => {
          const isCall = (await request.clone().text()).includes('"tools/call"')
          const response = await handle(request, ...rest)
          const isStream = response.headers.get('content-type') === 'text/event-stream'
          if (!isCall || !isStream) return response
          const params = { level: 'info', data: defaults.listNotes('everybody') }
          const message = { jsonrpc: '2.0', method: 'notifications/message', params }
          const text = `event: message\ndata: ${JSON.stringify(message)}\n\n${await response.text()}`
          return new Response(text, { status: response.status, headers: response.headers })
        }
        return transport
      },
      listNotes: () => defaults.listNotes('everybody'),
    }),
  },
  {
    id: 'scope-compared-without-case',
    description: 'a scope that is written in other letters is taken for the one that is needed',
    parts: (defaults) => ({
      missingScopes: (access) =>
        access.kind === 'user'
          ? defaults.missingScopes({
              ...access,
              scopes: access.scopes.map((scope) => scope.toLowerCase()),
            })
          : defaults.missingScopes(access),
    }),
  },
  {
    id: 'scope-compared-by-prefix',
    description: 'a scope that begins like the one that is needed is taken for it',
    parts: (defaults) => ({
      missingScopes: (access) =>
        access.kind === 'user' && access.scopes.some((scope) => scope.startsWith('notes:read'))
          ? []
          : defaults.missingScopes(access),
    }),
  },
  {
    id: 'session-is-signed-in',
    description: 'who has presented a token is known by the session from then on',
    parts: (defaults) => {
      const known = new Map<string, string>()
      return {
        bearerToken(request) {
          const token = defaults.bearerToken(request)
          const session = request.headers.get('mcp-session-id') ?? ''
          if (token !== undefined && session !== '') known.set(session, token)
          return token ?? known.get(session)
        },
      }
    },
  },
  {
    id: 'session-begun-with-token-is-signed-in',
    description: 'whoever begins a session with a token is known by the session',
    parts: (defaults) => {
      const known = new Map<string, string>()
      let begun: string | undefined
      return {
        bearerToken(request) {
          const token = defaults.bearerToken(request)
          const session = request.headers.get('mcp-session-id')
          if (session === null) begun = token
          return token ?? known.get(session ?? '')
        },
        newSessionId: () => () => {
          const id = randomUUID()
          if (begun !== undefined) known.set(id, begun)
          return id
        },
      }
    },
  },
  {
    id: 'cookie-is-signed-in',
    description: 'who has presented a token is known by a cookie from then on',
    parts: (defaults) => {
      const known = new Map<string, string>()
      return {
        bearerToken(request) {
          const token = defaults.bearerToken(request)
          const session = request.headers.get('mcp-session-id')
          if (token !== undefined && session !== null) known.set(session, token)
          return (
            token ?? known.get(/sid=([^;]+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? '')
          )
        },
        createTransport(options) {
          const transport = defaults.createTransport(options)
          const handle = transport.handleRequest.bind(transport)
          transport.handleRequest = async (request, ...rest) => {
            const response = await handle(request, ...rest)
            const { sessionId } = transport
            if (sessionId === undefined) return response
            const headers = new Headers(response.headers)
            headers.append('set-cookie', `sid=${sessionId}; Path=/mcp; HttpOnly; SameSite=Lax`)
            return new Response(response.body, { status: response.status, headers })
          }
          return transport
        },
      }
    },
  },
  {
    id: 'connection-is-signed-in',
    description: 'who has presented a token is known by the connection from then on',
    parts: (defaults) => {
      const known = new WeakMap<object, string>()
      return {
        bearerToken(request, connection = {}) {
          const token = known.get(connection) ?? defaults.bearerToken(request)
          if (token !== undefined) known.set(connection, token)
          return token
        },
      }
    },
  },
  {
    id: 'third-call-served',
    description: 'after a token was seen in a session, every second call in it goes without',
    parts: (defaults) => {
      const known = new Map<string, string>()
      const without = new Map<string, number>()
      return {
        bearerToken(request) {
          const token = defaults.bearerToken(request)
          const session = request.headers.get('mcp-session-id')
          if (session === null) return token
          if (token !== undefined) known.set(session, token)
          if (token !== undefined || !known.has(session)) return token
          const count = (without.get(session) ?? 0) + 1
          without.set(session, count)
          return count % 2 === 0 ? known.get(session) : undefined
        },
      }
    },
  },
  {
    id: 'scope-named-that-is-there',
    description: 'a token that lacks the scope is told the scopes that it has',
    parts: (defaults) => ({
      challengeParameters(need) {
        const parameters = defaults.challengeParameters(need)
        const { access } = need
        return access.kind === 'user'
          ? { ...parameters, scope: access.scopes.join(' ') }
          : parameters
      },
    }),
  },
  {
    id: 'scope-refused-without-scope',
    description: 'a token that lacks the scope is challenged without saying which',
    parts: (defaults) => ({
      challengeParameters(need) {
        const { scope: _, ...others } = defaults.challengeParameters(need)
        return need.access.kind === 'user' ? others : defaults.challengeParameters(need)
      },
    }),
  },
  {
    id: 'scope-refused-as-invalid',
    description: 'a token that lacks the scope is challenged with invalid_token',
    parts: (defaults) => ({
      challengeParameters: (need) => ({
        ...defaults.challengeParameters(need),
        ...(need.access.kind === 'user' ? { error: 'invalid_token' } : {}),
      }),
    }),
  },
  {
    id: 'scope-not-looked-at',
    description: 'a token without the scope is served',
    parts: () => ({ missingScopes: () => [] }),
  },
  {
    id: 'token-in-challenge',
    description: 'the words of the challenge repeat the token that was sent',
    parts: (defaults) => {
      let sent = ''
      return {
        bearerToken(request) {
          sent = defaults.bearerToken(request) ?? ''
          return defaults.bearerToken(request)
        },
        challengeResult(challenge, need) {
          const result = defaults.challengeResult(challenge, need)
          return {
            ...result,
            content: [...result.content, { type: 'text', text: `Sent: ${sent}` }],
          }
        },
      }
    },
  },
  {
    id: 'token-in-log',
    description: 'the header of every request is logged',
    parts: (defaults) => ({
      bearerToken(request) {
        defaults.log(`called with ${request.headers.get('authorization')}`)
        return defaults.bearerToken(request)
      },
    }),
  },
]
