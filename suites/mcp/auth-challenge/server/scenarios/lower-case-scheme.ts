import { acceptsToken } from '../judges/access.ts'
import { check, control, scenario } from './define.ts'

export const lowerCaseScheme = scenario({
  id: 'scheme-in-lower-case',
  title: 'the call is made with a valid token, and its scheme is written bearer',
  control,
  async drive({ call, follow, callSignedIn }) {
    const chain = await follow(await call())
    await callSignedIn(chain, { scheme: 'bearer' })
  },
  checks: [
    check(
      'mcp-auth-challenge/server/scheme-in-any-case',
      'reads the scheme in lower case',
      acceptsToken,
    ),
  ],
})
