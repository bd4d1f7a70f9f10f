import { needsOwnInstance } from '../../../../oauth-client/scenarios/needs.ts'
import { forgetsToken, servesNothing } from '../judges/access.ts'
import { flaws, formsOf, tokenForms, type Flaw } from '../../../server/flawed-tokens.ts'
import { check, control, scenario } from './define.ts'

/** Tokens that are right but for one thing. */
export const flawedTokenScenarios = Object.entries(flaws).map(([flaw, what]) =>
  scenario({
    id: `token-${flaw}`,
    title: `the call is made with a token that ${what}`,
    control,
    async drive({ call, follow, callFlawed }) {
      const chain = await follow(await call())
      for (const form of formsOf(flaw as Flaw)) {
        const token = await callFlawed(form, chain)
        // What was found out about it may have been kept, and the scheme is read elsewhere.
        await call({ token, scheme: 'bearer' })
      }
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

/** A token that was found to be right, and then comes with another signature. */
export const alteredAfterUse = scenario({
  id: 'token-altered-after-use',
  title: 'a token that was served comes again, and has been altered',
  control,
  async drive({ call, follow, callSignedIn, alter }) {
    const chain = await follow(await call())
    const token = await callSignedIn(chain)
    for (const other of alter(token, chain)) await call({ token: other })
  },
  checks: [
    check(
      'mcp-auth-challenge/server/enforce',
      'does not take the claims of a token for the token',
      forgetsToken('a call with an altered token'),
    ),
  ],
})

/** A connection that was served is not one to be trusted (MCP Authorization, Access Token Usage). */
export const flawedAfterUse = scenario({
  id: 'tokens-flawed-after-use',
  title: 'calls with tokens that are wrong follow one that was served, on the same connection',
  control,
  async drive({ call, follow, callSignedIn, callFlawed }) {
    const keepAlive = true
    const chain = await follow(await call({ keepAlive }))
    await callSignedIn(chain, { keepAlive })
    for (const form of tokenForms) await callFlawed(form, chain, { keepAlive })
  },
  checks: [
    check(
      'mcp-auth-challenge/server/enforce',
      'verifies the token of every call',
      forgetsToken('a call with a wrong token'),
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
