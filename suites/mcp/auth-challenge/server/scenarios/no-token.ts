/** Calls that have no token, and something that others might take for one. */

import { ignoresTokenInUrl, servesNoStranger } from '../judges/access.ts'
import { check, control, scenario } from './define.ts'

const claimed = 'admin'

/** Where a proxy that signs users in names them: whoever sends these himself is nobody (RFC 6750 §3.1). */
const userHeaders: Readonly<Record<string, string>> = {
  'x-forwarded-user': claimed,
  'x-forwarded-email': `${claimed}@notes.example`,
  'x-remote-user': claimed,
  'x-user-id': claimed,
  'x-auth-request-user': claimed,
}

export const claimedUser = scenario({
  id: 'claimed-user',
  title: 'calls without a token name a user in the headers that a proxy would set',
  control,
  async drive({ call }) {
    for (const [name, value] of Object.entries(userHeaders))
      await call({ headers: { [name]: value } })
    await call({ headers: userHeaders })
  },
  checks: [
    check(
      'mcp-auth-challenge/server/enforce',
      'takes the name of a user for no token',
      servesNoStranger('a call without a token that names a user in a header'),
    ),
  ],
})

/** What programs send that have no token, and what opens doors while a server is being developed. */
const words = ['null', 'undefined', 'none', 'true', 'test', 'dev', 'admin', 'guest', 'anonymous']

export const wordForToken = scenario({
  id: 'word-for-a-token',
  title: 'calls are made with words in place of a token, and with nothing after Bearer',
  control,
  async drive({ call }) {
    for (const token of words) await call({ token })
    await call({ headers: { authorization: 'Bearer' } })
  },
  checks: [
    check(
      'mcp-auth-challenge/server/enforce',
      'takes a word for no token',
      servesNoStranger('a call with a word in place of a token'),
    ),
  ],
})

export const tokenInUrl = scenario({
  id: 'token-in-url',
  title: 'the call has a valid token in its query string, and none in its header',
  control,
  async drive({ call, follow, tokenToMisplace }) {
    const chain = await follow(await call())
    await call({ query: { access_token: await tokenToMisplace(chain) } })
  },
  checks: [
    check(
      'mcp-auth-challenge/server/ignore-token-in-url',
      'serves nothing for a token in the URL',
      ignoresTokenInUrl,
    ),
  ],
})
