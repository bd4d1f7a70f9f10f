import { asksForScope } from '../judges/access.ts'
import { needsScopes } from '../conditions.ts'
import { callsOf, scopesOf } from '../view.ts'
import { check, control, scenario } from './define.ts'

export const smallScope = scenario({
  id: 'small-scope',
  title: 'the call is made with a token that lacks the scopes',
  control,
  notApplicable: needsScopes,
  needs: {
    what: 'a scope that the tool is known to need',
    seen: (run) => {
      for (const t of run.values()) {
        for (const { bearers, reply } of callsOf(t)) {
          if (scopesOf(bearers).length > 0) return reply?.event
        }
      }
      return undefined
    },
  },
  async drive({ call, follow, authorizeLess }) {
    const chain = await follow(await call())
    await call({ token: await authorizeLess(chain) })
  },
  checks: [
    check('mcp-auth-challenge/server/scope-challenge', 'says which scopes it needs', asksForScope),
  ],
})
