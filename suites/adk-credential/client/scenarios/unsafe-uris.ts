import { aScriptAroundAPage } from '../../../host/around-a-web-page.ts'
import { check } from '../checks.ts'
import type { AskOptions } from '../script.ts'
import { opensNothingUnsafe } from '../unsafe-checks.ts'
import { control, scenario } from './define.ts'

interface Unsafe {
  readonly kind: string
  readonly what: string
  /** How what must not be opened begins. */
  readonly begin: string
  readonly ask: AskOptions
}

/** Whole authorization requests but for where they lead: who stumbles over anything else that is missing refuses nothing. */
const unsafe = [
  ['javascript', 'a script', 'javascript:alert(document.domain)//'],
  ['file', 'a file of the user', 'file:///etc/hosts'],
  ['data', 'a page in the URL itself', 'data:text/html,<p>Sign in'],
  ['http', 'plain http, beyond the loopback interface', 'http://provider.example/authorize'],
  [
    'loopback-prefix',
    'plain http, at a name that begins like the loopback interface',
    'http://localhost.provider.example/authorize',
  ],
  [
    'loopback-suffix',
    'plain http, at a name that ends like the loopback interface',
    'http://provider-on-localhost/authorize',
  ],
  ['private-address', 'plain http, in a private network', 'http://10.20.30.40/authorize'],
  [
    'address-prefix',
    'plain http, at a name that begins like a loopback address',
    'http://127.0.0.1.provider.example/authorize',
  ],
  [
    'userinfo',
    'plain http, with a loopback address before the name of another machine',
    'http://127.0.0.1@provider.example/authorize',
  ],
  ['script-around-a-page', 'a script with the URL of a web page in it', aScriptAroundAPage],
  [
    'http-around-https',
    'plain http, with a URL of https in its path',
    'http://provider.example/https://warehouse.example/authorize',
  ],
  [
    'loopback-of-other-scheme',
    'one of another scheme at the loopback interface',
    'ftp://127.0.0.1/authorize',
  ],
  [
    'custom-scheme',
    'one of a scheme that an application may have',
    'intent://provider.example/authorize',
  ],
] as const

const junk = 'connect your account'

const all: readonly Unsafe[] = [
  ...unsafe.map(([kind, what, endpoint]) => ({ kind, what, begin: endpoint, ask: { endpoint } })),
  { kind: 'junk', what: 'no URL at all', begin: junk, ask: { authUri: junk } },
]

export const unsafeUris = all.map(({ kind, what, begin, ask }) =>
  scenario({
    id: `unsafe-uri-${kind}`,
    title: `the authorization URL is ${what}`,
    control,
    async drive({ open, observe }) {
      const client = await open()
      const call = await client.begin({ asks: [ask] })
      await call.delivered()
      await observe()
    },
    checks: [
      check(
        'adk-credential/client/unsafe-uri-not-opened',
        'does not let its user open it',
        opensNothingUnsafe(begin),
      ),
    ],
  }),
)
