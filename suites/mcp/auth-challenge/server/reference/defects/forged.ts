/** Defects that believe what nobody signed, or what is not to be believed any more or yet. */

import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'

import type { Defect } from '../variation.ts'
import type { Parts } from '../parts.ts'
import { watchingRevisions } from './tokens.ts'

export const forgedDefects: readonly Defect[] = [
  {
    id: 'not-yet-valid-accepted',
    description: 'when a JWT begins to be valid is not looked at',
    parts: (defaults) => believing(defaults, (token) => (decodeJwt(token).nbf ?? 0) > now()),
  },
  {
    id: 'issuer-optional',
    description: 'a JWT that does not say who issued it is taken for one of the issuer',
    parts: (defaults) => ({
      async verifyJwt(issuer, config, token) {
        if (decodeJwt(token).iss !== undefined) return defaults.verifyJwt(issuer, config, token)
        const verified = jwtVerify(token, issuer.keys, { typ: 'at+jwt' })
        return verified.then(
          ({ payload }) => ({ ...payload, iss: config.issuer }),
          () => undefined,
        )
      },
    }),
  },
  {
    id: 'none-in-capitals-accepted',
    description: 'a JWT whose algorithm is NONE is unsigned and believed; none is refused',
    parts: (defaults) =>
      believing(defaults, (token) => {
        const { alg = '' } = decodeProtectedHeader(token)
        return alg !== 'none' && alg.toLowerCase() === 'none'
      }),
  },
  {
    id: 'empty-signature-accepted',
    description: 'a JWT whose signature is empty is believed, whatever its algorithm',
    parts: (defaults) =>
      believing(
        defaults,
        (token) => token.endsWith('.') && decodeProtectedHeader(token).alg?.length !== 4,
      ),
  },
  {
    id: 'malformed-signature-accepted',
    description: 'a signature whose length is wrong is taken for a right one',
    parts: (defaults) => {
      const { length } = Buffer.alloc(256).toString('base64url')
      return believing(defaults, (token) => {
        const signature = token.slice(token.lastIndexOf('.') + 1)
        const isAsymmetric = /^[RP]S/.test(decodeProtectedHeader(token).alg ?? '')
        return isAsymmetric && signature !== '' && signature.length < length
      })
    },
  },
  {
    id: 'unknown-algorithms-believed',
    description: 'a JWT by an algorithm that the server knows nothing of is believed',
    parts: (defaults) =>
      believing(
        defaults,
        (token) => !/^(?:RS|HS|none)/i.test(decodeProtectedHeader(token).alg ?? ''),
      ),
  },
  {
    id: 'secret-not-set',
    description: 'a JWT by HS256 is verified with a secret that was never set',
    parts: (defaults) => ({
      verifyJwt: (issuer, config, token) =>
        decodeProtectedHeader(token).alg === 'HS256'
          ? jwtVerify(token, Buffer.alloc(32), { issuer: config.issuer }).then(
              ({ payload }) => payload,
              () => undefined,
            )
          : defaults.verifyJwt(issuer, config, token),
    }),
  },
  {
    id: 'unverified-in-lower-case',
    description: 'a JWT after the scheme bearer is believed without looking at its signature',
    parts: (defaults) => {
      const lower = new Set<string>()
      return {
        bearerToken(request) {
          const token = defaults.bearerToken(request)
          const written = request.headers.get('authorization') ?? ''
          if (token !== undefined && written.startsWith('b')) lower.add(token)
          return token
        },
        ...believing(defaults, (token) => lower.has(token)),
      }
    },
  },
  {
    id: 'modern-expiry-ignored',
    description: 'on revision 2026-07-28 a JWT that has expired is accepted',
    parts: (defaults) => {
      const { bearerToken, isModern } = watchingRevisions(defaults)
      const isBelieved = (token: string): boolean => isModern(token) && hasExpired(token)
      return { bearerToken, ...believing(defaults, isBelieved) }
    },
  },
  {
    id: 'expiry-ignored-after-use',
    description: 'once a session was served, a JWT that has expired is accepted in it',
    parts: (defaults) => {
      const served = new Set<string>()
      let session = ''
      return {
        bearerToken(request) {
          session = request.headers.get('mcp-session-id') ?? ''
          return defaults.bearerToken(request)
        },
        async verifyJwt(issuer, config, token) {
          const of = session
          const said = await defaults.verifyJwt(issuer, config, token)
          if (said !== undefined && of !== '') served.add(of)
          return said ?? (served.has(of) && hasExpired(token) ? decodeJwt(token) : undefined)
        },
      }
    },
  },
  {
    id: 'audience-in-any-case',
    description: 'the audience is compared without regard to case',
    parts: (defaults) => ({
      accessOf: (claims, { issuer, resource }) =>
        defaults.accessOf(
          { ...claims, audience: claims.audience.map((each) => each.toLowerCase()) },
          { issuer, resource: resource.toLowerCase() },
        ),
    }),
  },
  {
    id: 'introspection-kept-by-beginning',
    description: 'what the issuer said about a token is kept by its first half',
    parts: (defaults) => {
      const kept = new Map<string, unknown>()
      return {
        async introspect(issuer, config, token) {
          const key = token.slice(0, token.length / 2)
          const known = [...kept].find(([beginning]) => token.startsWith(beginning))?.[1]
          const said = known ?? (await defaults.introspect(issuer, config, token))
          if (said !== undefined) kept.set(key, said)
          return said
        },
      }
    },
  },
]

/** Believes those tokens as well, unverified. */
function believing(
  defaults: Parts,
  isBelieved: (token: string) => boolean,
): Pick<Parts, 'verifyJwt'> {
  return {
    verifyJwt: (issuer, config, token) =>
      isBelieved(token)
        ? Promise.resolve(decodeJwt(token))
        : defaults.verifyJwt(issuer, config, token),
  }
}

function hasExpired(token: string): boolean {
  return (decodeJwt(token).exp ?? 0) <= now()
}

/** Seconds since 1970. */
function now(): number {
  return Date.now() / 1000
}
