/** Defects of who may call. */

import { decodeJwt } from 'jose'

import type { Parts } from '../parts.ts'
import type { Defect } from '../variation.ts'

export const accessDefects: readonly Defect[] = [
  {
    id: 'served-without-token',
    description: 'a request without a token is served like one of a user called nobody',
    parts: (defaults) => ({
      bearerToken: (request) => defaults.bearerToken(request) ?? nobody,
      verifyToken: async (provider, token) =>
        token === nobody
          ? { subject: nobody, audience: [nobody] }
          : defaults.verifyToken(provider, token),
      isMeantFor: (config, audience) =>
        audience.includes(nobody) || defaults.isMeantFor(config, audience),
    }),
  },
  {
    id: 'session-stands-for-token',
    description: 'in a session no token is demanded: what it began with is taken for one',
    parts: (defaults) => {
      const tokens = new Map<string, string>()
      return {
        bearerToken(request) {
          const token = defaults.bearerToken(request)
          const session = request.headers.get('mcp-session-id')
          if (session === null) return token
          const known = tokens.get(session) ?? token
          if (known !== undefined) tokens.set(session, known)
          return token ?? known
        },
      }
    },
  },
  {
    id: 'session-is-identity',
    description: 'whoever comes with the id of a session is served as the user who began it',
    parts: () => ({ ownsSession: () => true }),
  },
  {
    id: 'audience-ignored',
    description: 'tokens of the authorization server are accepted whatever they are for',
    parts: () => ({ isMeantFor: () => true }),
  },
  {
    id: 'token-not-verified',
    description: 'a JWT is believed without looking at its signature, issuer and expiry',
    parts: (defaults) => ({
      async verifyToken(provider, token) {
        if (token.split('.').length !== 3) return defaults.verifyToken(provider, token)
        const { sub, aud } = decodeJwt(token)
        return { subject: sub, audience: [aud].flat() }
      },
    }),
  },
  {
    id: 'introspection-kept-for-ever',
    description:
      'what the authorization server said of a token is kept as long as the process lives',
    parts: (defaults) => {
      const kept = new Map<string, ReturnType<Parts['verifyToken']>>()
      return {
        async verifyToken(provider, token) {
          const known = await kept.get(token)
          if (known) return known
          const asking = defaults.verifyToken(provider, token)
          kept.set(token, asking)
          return asking
        },
      }
    },
  },
]

const nobody = 'nobody'
