/** Defects: what is taken for a token that is none, or that cannot be used (RFC 6749 §5.1, §7.1). */

import type { Parts } from '../parts.ts'
import { parseObject, withFetch } from './alter.ts'
import type { Defect } from './defect.ts'

type Fields = Readonly<Record<string, unknown>>

export const tokenResponseDefects: readonly Defect[] = [
  {
    id: 'token-status-ignored',
    description: 'the status of a token response is not looked at',
    parts: (defaults) => alterTokenResponse(defaults, (fields) => fields, 200),
  },
  {
    id: 'any-token-taken',
    description: 'whatever stands in access_token is made a text, and used',
    parts: (defaults) => ({
      async exchangeCode(provider, grant, now) {
        let given: unknown
        const altered = alterTokenResponse(defaults, (fields) => {
          given = fields['access_token']
          return 'access_token' in fields ? { ...fields, access_token: 'whatever' } : fields
        })
        const tokens = await altered.exchangeCode(provider, grant, now)
        return { ...tokens, accessToken: String(given) }
      },
    }),
  },
  {
    id: 'token-type-ignored',
    description: 'a token of whichever type is used as a bearer token',
    parts: (defaults) =>
      alterTokenResponse(defaults, (fields) => ({ ...fields, token_type: 'Bearer' })),
  },
]

/** Changes what is read of the answer to the token request that redeems a code. */
function alterTokenResponse(
  defaults: Parts,
  change: (fields: Fields) => Fields,
  status?: number,
): Pick<Parts, 'exchangeCode'> {
  return {
    exchangeCode: (provider, grant, now) =>
      defaults.exchangeCode(
        withFetch(provider, async (url, init) => {
          const response = await provider.fetch(url, init)
          const fields = parseObject(await response.clone().text())
          if (!('access_token' in fields)) return response
          const { headers } = response
          const body = JSON.stringify(change(fields))
          return new Response(body, { status: status ?? response.status, headers })
        }),
        grant,
        now,
      ),
  }
}
