import { check } from '../checks.ts'
import { opensNothingUnsafe } from '../unsafe-checks.ts'
import { control, scenario } from './define.ts'

const unsafe = [
  ['javascript', 'a script', 'javascript:alert(document.domain)//'],
  ['file', 'a file of the user', 'file:///etc/hosts'],
  ['data', 'a page in the URL itself', 'data:text/html,<p>Sign in'],
  ['http', 'plain http, beyond the loopback interface', 'http://provider.example/authorize'],
  ['junk', 'no URL at all', 'connect your account'],
] as const

export const unsafeUris = unsafe.map(([kind, what, authUri]) =>
  scenario({
    id: `unsafe-uri-${kind}`,
    title: `the authorization URL is ${what}`,
    control,
    async drive({ open, observe }) {
      const client = await open()
      const call = await client.begin({ asks: [{ authUri }] })
      await call.delivered()
      await observe()
    },
    checks: [
      check(
        'adk-credential/client/unsafe-uri-not-opened',
        'does not let its user open it',
        opensNothingUnsafe(authUri),
      ),
    ],
  }),
)
