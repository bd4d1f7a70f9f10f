import { needsOwnInstance } from '../../../../oauth-client/scenarios/needs.ts'
import { forgetsToken, servesNothing } from '../judges/access.ts'
import type { Flaw } from '../../../server/flawed-tokens.ts'
import { check, control, scenario } from './define.ts'

const flaws: readonly (readonly [flaw: Flaw, what: string])[] = [
  ['expired', 'has expired'],
  ['other-audience', 'is for another resource'],
  ['similar-audience', 'is for resources whose names begin alike'],
  ['no-audience', 'does not say what it is for'],
  ['other-issuer', 'comes from another issuer'],
  ['other-tenant', 'comes from another issuer with the same keys'],
  ['key-by-url', 'is signed by a key that its header says where to find'],
  ['altered', 'has been altered'],
  ['unsigned', 'has no signature'],
]

/** A token that is right but for one thing. */
export const flawedTokenScenarios = flaws.map(([flaw, what]) =>
  scenario({
    id: `token-${flaw}`,
    title: `the call is made with a token that ${what}`,
    control,
    async drive({ call, follow, callFlawed }) {
      const chain = await follow(await call())
      const token = await callFlawed(flaw, chain)
      // What was found out about it may have been kept.
      await call({ token })
    },
    checks: [
      check(
        'mcp-auth-challenge/server/enforce',
        `serves nothing for a token that ${what}`,
        servesNothing(`a token that ${what}`),
      ),
    ],
  }),
)

/** A token for one resource; what is looked for in an array may be looked for in a string as well. */
export const similarAudiences = scenario({
  id: 'token-similar-audience-alone',
  title: 'the calls are made with tokens that are each for one resource whose name is similar',
  control,
  async drive({ call, follow, tokensForSimilar }) {
    const chain = await follow(await call())
    for (const token of await tokensForSimilar(chain)) await call({ token })
  },
  checks: [
    check(
      'mcp-auth-challenge/server/enforce',
      'serves nothing for a token that is for one resource with a similar name',
      servesNothing('a token for one resource with a similar name'),
    ),
  ],
})

const senderKeys = [
  ['public-key', 'is sealed with the public key of the issuer as a secret'],
  ['key-in-header', 'is signed by a key that stands in its header'],
] as const

/** Tokens that anybody can make: their claims are right, and their header says how they are to be verified. */
export const tokensBySender = senderKeys.map(([whose, what]) =>
  scenario({
    id: `token-by-${whose}`,
    title: `the call is made with a token that ${what}`,
    control,
    async drive({ call, follow, tokensBySender: forged }) {
      const chain = await follow(await call())
      for (const token of await forged(whose, chain)) await call({ token })
    },
    checks: [
      check(
        'mcp-auth-challenge/server/enforce',
        `serves nothing for a token that ${what}`,
        servesNothing(`a token that ${what}`),
      ),
    ],
  }),
)

/** A token that was found to be right, and then comes with another signature. */
export const alteredAfterUse = scenario({
  id: 'token-altered-after-use',
  title: 'a token that was served comes again, and has been altered',
  control,
  async drive({ call, follow, callSignedIn, alter }) {
    const chain = await follow(await call())
    const token = await callSignedIn(chain)
    await call({ token: alter(token, chain) })
  },
  checks: [
    check(
      'mcp-auth-challenge/server/enforce',
      'does not take the claims of a token for the token',
      forgetsToken('a call with an altered token'),
    ),
  ],
})

/** A token that nobody issued, while whoever is asked about it cannot say so. */
export const uncheckedTokens = (['introspect-error-500', 'jwks-error-500'] as const).map((fault) =>
  scenario({
    id: `token-unchecked-${fault}`,
    title: `the call is made with a token that was altered, and the provider has ${fault}`,
    control,
    ownInstance: true,
    notApplicable: needsOwnInstance,
    async drive({ ownInstance }) {
      const { call, follow, callFlawed } = await ownInstance([fault])
      await callFlawed('altered', await follow(await call()))
    },
    checks: [
      check(
        'mcp-auth-challenge/server/enforce',
        'serves nothing for a token that it cannot verify',
        servesNothing('a token that could not be verified'),
      ),
    ],
  }),
)
