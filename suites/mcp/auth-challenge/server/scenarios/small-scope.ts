import type { Need } from '../../../../../harness/engine/index.ts'
import { asksForScope } from '../judges/access.ts'
import { needsScopes } from '../conditions.ts'
import { callsOf, scopesOf } from '../view.ts'
import { check, control, scenario } from './define.ts'

const knownScope: Need = {
  what: 'a scope that the tool is known to need',
  seen: (run) => {
    for (const t of run.values()) {
      for (const { bearers, reply } of callsOf(t)) {
        if (scopesOf(bearers).length > 0) return reply?.event
      }
    }
    return undefined
  },
}

export const smallScope = scenario({
  id: 'small-scope',
  title: 'the call is made with a token that lacks the scopes',
  control,
  notApplicable: needsScopes,
  needs: knownScope,
  async drive({ call, follow, authorizeLess }) {
    const chain = await follow(await call())
    await call({ token: await authorizeLess(chain) })
  },
  checks: [
    check(
      'mcp-auth-challenge/server/scope-challenge',
      'says which scopes it needs',
      asksForScope(),
    ),
  ],
})

/** The scopes of a token are those of every other one of its user only where they are looked up by the user. */
export const smallScopeLater = scenario({
  id: 'small-scope-later',
  title: 'a call is served, and the next one of the same user has a token that lacks the scopes',
  control,
  notApplicable: needsScopes,
  needs: knownScope,
  async drive({ call, follow, callSignedIn, authorizeLess }) {
    const chain = await follow(await call())
    await callSignedIn(chain)
    await call({ token: await authorizeLess(chain) })
  },
  checks: [
    check(
      'mcp-auth-challenge/server/scope-challenge',
      'goes by the scopes of this token',
      asksForScope('call-3'),
    ),
  ],
})
