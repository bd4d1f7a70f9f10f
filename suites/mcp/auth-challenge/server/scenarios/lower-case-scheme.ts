import { acceptsToken } from '../judges/access.ts'
import { check, control, scenario } from './define.ts'

export const lowerCaseScheme = scenario({
  id: 'scheme-in-lower-case',
  title: 'the call is made with a valid token, and its scheme is written bearer',
  control,
  async drive({ call, follow, authorize }) {
    const chain = await follow(await call())
    const token = await authorize(chain)
    await call({ token, headers: { authorization: `bearer ${token}` } })
  },
  checks: [
    check(
      'mcp-auth-challenge/server/scheme-in-any-case',
      'reads the scheme in lower case',
      acceptsToken,
    ),
  ],
})
