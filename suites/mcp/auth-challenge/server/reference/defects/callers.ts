/** Defects of who is taken for whom: nobody for somebody, a token for what it once was, one user for another. */

import type { CallToolResult } from '@modelcontextprotocol/server'

import { scopeOfNotes } from '../access.ts'
import type { Config } from '../config.ts'
import type { Defect } from '../variation.ts'
import type { Parts } from '../parts.ts'

export const callerDefects: readonly Defect[] = [
  {
    id: 'user-of-the-proxy',
    description: 'a call without a token is that of the user whom X-Forwarded-User names',
    parts: (defaults) => ({
      bearerToken: (request) =>
        defaults.bearerToken(request) ?? named(request.headers.get('x-forwarded-user')),
      introspect: (issuer, config, token) =>
        token.startsWith(ofProxy)
          ? Promise.resolve(madeUp(config, token.slice(ofProxy.length)))
          : defaults.introspect(issuer, config, token),
    }),
  },
  {
    id: 'word-of-developers',
    description: 'the token "dev" is a user of the developers',
    parts: (defaults) => ({
      introspect: (issuer, config, token) =>
        token === 'dev'
          ? Promise.resolve(madeUp(config, 'developer'))
          : defaults.introspect(issuer, config, token),
    }),
  },
  {
    id: 'token-of-the-url',
    description: 'a token is taken from the query string where the header has none',
    parts: (defaults) => ({
      bearerToken: (request) =>
        defaults.bearerToken(request) ??
        new URL(request.url).searchParams.get('access_token') ??
        undefined,
    }),
  },
  {
    id: 'introspection-kept-for-ever',
    description: 'what the issuer once said about a token is kept',
    parts: (defaults) => {
      const known = new Map<string, unknown>()
      return {
        async introspect(issuer, config, token) {
          const said = known.get(token) ?? (await defaults.introspect(issuer, config, token))
          if (said !== undefined) known.set(token, said)
          return said
        },
      }
    },
  },
  {
    id: 'notes-of-the-first-user',
    description: 'the notes are fetched once, and kept for everybody',
    parts: (defaults) => {
      let kept: CallToolResult | undefined
      return { listNotes: (subject) => (kept ??= defaults.listNotes(subject)) }
    },
  },
  {
    id: 'notes-by-name-in-any-case',
    description: 'notes are kept by the name of their user in small letters',
    parts: (defaults) => {
      const kept = new Map<string, CallToolResult>()
      return {
        listNotes(subject) {
          const key = subject.toLowerCase()
          const notes = kept.get(key) ?? defaults.listNotes(subject)
          kept.set(key, notes)
          return notes
        },
      }
    },
  },
  {
    id: 'user-of-the-latest-request',
    description: 'a session knows one user, who is that of its latest request when the tool runs',
    parts: (defaults) => ({
      createTransport(options) {
        const transport = defaults.createTransport(options)
        const handle = transport.handleRequest.bind(transport)
        let authInfo: NonNullable<Parameters<typeof handle>[1]>['authInfo']
        transport.handleRequest = async (request, given) => {
          authInfo = given?.authInfo
          await request.clone().text()
          // What has arrived meanwhile is looked at first.
          await new Promise(setImmediate)
          return handle(request, { ...given, ...(authInfo && { authInfo }) })
        }
        return transport
      },
    }),
  },
  {
    id: 'scopes-of-the-user',
    description: 'a user keeps the scopes of every token that they have had',
    parts: (defaults) => {
      const known = new Map<string, ReadonlySet<string>>()
      return {
        accessOf(claims, accepted) {
          const access = defaults.accessOf(claims, accepted)
          if (access.kind !== 'user') return access
          const { subject } = access
          const scopes = new Set([...(known.get(subject) ?? []), ...access.scopes])
          known.set(subject, scopes)
          return { ...access, scopes: [...scopes] }
        },
      }
    },
  },
]

const ofProxy = 'of-proxy:'

function named(user: string | null): ReturnType<Parts['bearerToken']> {
  return user === null ? undefined : ofProxy + user
}

/** Claims of somebody about whom nobody was asked. */
function madeUp({ issuer: iss, publicUrl }: Config, sub: string): unknown {
  return { iss, sub, aud: `${publicUrl}/mcp`, scope: scopeOfNotes }
}
