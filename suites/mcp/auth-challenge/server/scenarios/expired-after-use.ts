import { forgetsExpired } from '../judges/access.ts'
import { check, control, scenario } from './define.ts'

/** Seconds that the token lives: long enough to call with it. */
const lifetime = 10
/** Seconds beyond, since expiries are whole ones, and clocks differ. */
const beyond = 5

/**
 * What was found out about a token is worth nothing after its expiry (RFC 7662 §4). By the leeway of clocks a JWT may be taken
 * for some minutes more (RFC 7519 §4.1.4), so this one is opaque.
 */
export const expiredAfterUse = scenario({
  id: 'token-expired-after-use',
  title: 'an opaque token expires after it has been used',
  control,
  needs: { what: 'opaque tokens', seen: () => undefined },
  async drive({ call, follow, callForAWhile, idle }) {
    const chain = await follow(await call())
    const token = await callForAWhile(chain, lifetime)
    await idle((lifetime + beyond) * 1000)
    await call({ token })
  },
  checks: [
    check(
      'mcp-auth-challenge/server/enforce',
      'remembers nothing of a token beyond its expiry',
      forgetsExpired,
    ),
  ],
})
