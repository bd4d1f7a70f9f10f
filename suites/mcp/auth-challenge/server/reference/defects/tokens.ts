/** Defects of how a token is verified. */

import { KeyObject } from 'node:crypto'
import { types } from 'node:util'
import {
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  EmbeddedJWK,
  errors,
  exportSPKI,
  jwtVerify,
} from 'jose'

import { scopeOfNotes } from '../access.ts'
import type { Config } from '../config.ts'
import type { Parts } from '../parts.ts'
import type { Defect } from '../variation.ts'

export const tokenDefects: readonly Defect[] = [
  {
    id: 'signature-ignored',
    description: 'a JWT is believed without looking at its signature',
    parts: () => ({
      verifyJwt: async (_issuer, _config, token) => {
        const claims = decodeJwt(token)
        return (claims.exp ?? 0) * 1000 > Date.now() ? claims : undefined
      },
    }),
  },
  {
    id: 'modern-unverified',
    description: 'on revision 2026-07-28 a JWT is believed without looking at its signature',
    parts: (defaults) => {
      const { bearerToken, isModern } = watchingRevisions(defaults)
      return {
        bearerToken,
        verifyJwt: async (issuer, config, token) =>
          isModern(token) ? decodeJwt(token) : defaults.verifyJwt(issuer, config, token),
      }
    },
  },
  {
    id: 'unsigned-accepted',
    description: 'a JWT whose header says that it has no signature is believed',
    parts: (defaults) => ({
      verifyJwt: (issuer, config, token) =>
        decodeProtectedHeader(token).alg === 'none'
          ? Promise.resolve(decodeJwt(token))
          : defaults.verifyJwt(issuer, config, token),
    }),
  },
  {
    id: 'public-key-as-secret',
    description: 'the public key verifies a JWT by whatever algorithm its header names',
    parts: (defaults) => ({
      async verifyJwt(issuer, config, token) {
        const { alg, kid = '' } = decodeProtectedHeader(token)
        if (alg !== 'HS256') return defaults.verifyJwt(issuer, config, token)
        const key = await issuer.keys({ alg: 'RS256', kid }, { payload: '', signature: '' })
        if (!(key instanceof KeyObject || types.isCryptoKey(key))) return undefined
        const secret = new TextEncoder().encode(await exportSPKI(key))
        return jwtVerify(token, secret, { issuer: config.issuer }).then(
          ({ payload }) => payload,
          () => undefined,
        )
      },
    }),
  },
  {
    id: 'key-of-the-header',
    description: 'a JWT that brings its key along is verified by that key',
    parts: (defaults) => ({
      verifyJwt: (issuer, config, token) =>
        decodeProtectedHeader(token).jwk === undefined
          ? defaults.verifyJwt(issuer, config, token)
          : defaults.verifyJwt({ ...issuer, keys: EmbeddedJWK }, config, token),
    }),
  },
  {
    id: 'key-where-the-header-says',
    description: 'a JWT whose header says where its key is to be found is verified by that key',
    parts: (defaults) => ({
      verifyJwt(issuer, config, token) {
        const { jku } = decodeProtectedHeader(token)
        const keys = jku === undefined ? issuer.keys : createRemoteJWKSet(new URL(jku))
        return defaults.verifyJwt({ ...issuer, keys }, config, token)
      },
    }),
  },
  {
    id: 'issuer-ignored',
    description: 'a JWT of any issuer is verified by the keys that its issuer publishes',
    parts: (defaults) => ({
      async verifyJwt(_issuer, config, token) {
        const { iss = '' } = decodeJwt(token)
        const other = { ...config, issuer: iss }
        return defaults.verifyJwt(await defaults.discoverIssuer(other), other, token)
      },
      accessOf: (claims, { resource }) =>
        defaults.accessOf(claims, { issuer: claims.issuer, resource }),
    }),
  },
  {
    id: 'audience-ignored',
    description: 'tokens of the issuer are accepted whatever they are for',
    parts: () => ({
      accessOf: ({ subject, scopes }) => ({ kind: 'user', subject, scopes }),
    }),
  },
  {
    id: 'audience-holds-the-resource',
    description: 'an audience that is one string is taken for this server where its URL is in it',
    parts: () => ({
      accessOf: ({ issuer, subject, audience, scopes }, accepted) => {
        const [only = '', ...others] = audience
        const isOwn =
          others.length > 0
            ? audience.includes(accepted.resource)
            : only.includes(accepted.resource)
        return issuer === accepted.issuer && isOwn
          ? { kind: 'user', subject, scopes }
          : { kind: 'invalid' }
      },
    }),
  },
  {
    id: 'audience-ignored-scope-unsaid',
    description:
      'tokens are accepted for their scope alone, which is said when it is missing and not before',
    parts: (defaults) => ({
      accessOf: ({ subject, scopes }) => ({ kind: 'user', subject, scopes }),
      challengeParameters(need) {
        const { scope = '', ...others } = defaults.challengeParameters(need)
        return need.access.kind === 'user' ? { ...others, scope } : others
      },
      describeResource(publicUrl, issuer) {
        const { scopes_supported: _, ...others } = defaults.describeResource(publicUrl, issuer)
        return others
      },
    }),
  },
  {
    id: 'audience-compared-by-prefix',
    description: 'an audience that begins with the origin is taken for this server',
    parts: () => ({
      accessOf: ({ issuer, subject, audience, scopes }, accepted) => {
        const { origin } = new URL(accepted.resource)
        const isOwn = audience.some((each) => each.startsWith(origin))
        return issuer === accepted.issuer && isOwn
          ? { kind: 'user', subject, scopes }
          : { kind: 'invalid' }
      },
    }),
  },
  {
    id: 'audience-a-prefix',
    description: 'an audience with which the endpoint begins is taken for it',
    parts: () => ({
      accessOf: ({ issuer, subject, audience, scopes }, accepted) =>
        issuer === accepted.issuer && audience.some((each) => accepted.resource.startsWith(each))
          ? { kind: 'user', subject, scopes }
          : { kind: 'invalid' },
    }),
  },
  {
    id: 'audience-forgotten-by-cache',
    description: 'a token that was looked at before is compared with the origin alone',
    parts: (defaults) => {
      const known = new Set<string>()
      return {
        accessOf(claims, accepted) {
          const { issuer, subject, audience, scopes } = claims
          const key = JSON.stringify([subject, audience])
          const { origin } = new URL(accepted.resource)
          if (known.has(key) && audience.some((each) => each.startsWith(origin)))
            return { kind: 'user', subject, scopes }
          known.add(key)
          return defaults.accessOf({ issuer, subject, audience, scopes }, accepted)
        },
      }
    },
  },
  {
    id: 'signature-forgotten-by-cache',
    description: 'a JWT whose claims were verified before is believed, whatever its signature',
    parts: (defaults) => {
      const known = new Map<string, unknown>()
      return {
        async verifyJwt(issuer, config, token) {
          const signed = token.slice(0, token.lastIndexOf('.'))
          const said = known.get(signed) ?? (await defaults.verifyJwt(issuer, config, token))
          if (said !== undefined) known.set(signed, said)
          return said
        },
      }
    },
  },
  {
    id: 'claims-forgotten-by-cache',
    description: 'a JWT whose signature was verified before is believed, whatever its claims',
    parts: (defaults) => {
      const known = new Set<string>()
      return {
        async verifyJwt(issuer, config, token) {
          const signature = token.slice(token.lastIndexOf('.') + 1)
          if (known.has(signature)) return decodeJwt(token)
          const said = await defaults.verifyJwt(issuer, config, token)
          if (said !== undefined) known.add(signature)
          return said
        },
      }
    },
  },
  {
    id: 'introspection-fails-open',
    description: 'a token is believed while the issuer cannot be asked about it',
    parts: (defaults) => ({
      introspect: (issuer, config, token) =>
        defaults.introspect(issuer, config, token).catch(() => believed(config)),
      accessOf: (claims, accepted) =>
        claims.audience.includes(unasked)
          ? { kind: 'user', subject: claims.subject, scopes: claims.scopes }
          : defaults.accessOf(claims, accepted),
    }),
  },
  {
    id: 'keys-fail-open',
    description: 'a JWT is believed while the keys of the issuer cannot be had',
    parts: (defaults) => ({
      async verifyJwt(issuer, config, token) {
        const keys: typeof issuer.keys = async (...args) => {
          try {
            return await issuer.keys(...args)
          } catch (error) {
            // Any other problem is one of the token.
            const isMissing = error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC'
            throw isMissing ? new KeysMissing() : error
          }
        }
        try {
          return await defaults.verifyJwt({ ...issuer, keys }, config, token)
        } catch (error) {
          if (error instanceof KeysMissing) return decodeJwt(token)
          throw error
        }
      },
    }),
  },
  {
    id: 'audience-optional',
    description: 'a token that does not say what it is for is taken for one for this server',
    parts: (defaults) => ({
      readClaims: (said) => defaults.readClaims({ aud: [], ...(said as object) }),
      accessOf: (claims, accepted) =>
        claims.audience.length === 0
          ? { kind: 'user', subject: claims.subject, scopes: claims.scopes }
          : defaults.accessOf(claims, accepted),
    }),
  },
  {
    id: 'issuer-not-compared',
    description: 'a JWT that the right keys have signed is believed, whoever it says issued it',
    parts: (defaults) => ({
      verifyJwt: (issuer, config, token) =>
        defaults.verifyJwt(issuer, { ...config, issuer: decodeJwt(token).iss ?? '' }, token),
      accessOf: (claims, { resource }) =>
        defaults.accessOf(claims, { issuer: claims.issuer, resource }),
    }),
  },
  {
    id: 'expiry-with-an-hour-to-spare',
    description: 'a JWT is accepted for an hour after it has expired',
    parts: (defaults) => ({
      async verifyJwt(issuer, config, token) {
        const said = await defaults.verifyJwt(issuer, config, token)
        const { exp = 0 } = decodeJwt(token)
        return said ?? (exp * 1000 > Date.now() - 3_600_000 ? expired(token) : undefined)
      },
    }),
  },
  {
    id: 'expiry-ignored',
    description: 'a JWT that has expired is accepted',
    parts: (defaults) => ({
      async verifyJwt(issuer, config, token) {
        return (await defaults.verifyJwt(issuer, config, token)) ?? expired(token)
      },
    }),
  },
]

/** Remembers which tokens came on revision 2026-07-28. */
export function watchingRevisions({ bearerToken }: Parts) {
  const modern = new Set<string>()
  return {
    isModern: (token: string): boolean => modern.has(token),
    bearerToken: (request: Request): string | undefined => {
      const token = bearerToken(request)
      const isModern = request.headers.get('mcp-protocol-version') === '2026-07-28'
      if (isModern && token !== undefined) modern.add(token)
      return token
    },
  }
}

class KeysMissing extends Error {}

/** The audience of a token about which nobody was asked. */
const unasked = 'unasked'

function believed({ issuer: iss }: Config): unknown {
  return { iss, sub: 'somebody', aud: unasked, scope: scopeOfNotes }
}

/** What an expired token says; its signature is right, or the reason would have been another. */
function expired(token: string): unknown {
  const claims = decodeJwt(token)
  return (claims.exp ?? 0) * 1000 <= Date.now() ? claims : undefined
}
