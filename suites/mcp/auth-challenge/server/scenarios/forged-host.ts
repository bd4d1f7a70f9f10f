import { isNotSteered } from '../judges/metadata.ts'
import { check, control, scenario } from './define.ts'

/** A host that is claimed, and that nobody has. */
const forgedHost = 'forged.example'

type Claim = (scheme: string) => Readonly<Record<string, string>>

/** What a client says that claims to be a proxy, or a page elsewhere, by the scheme that the endpoint has not. */
const claims: Readonly<Record<string, Claim>> = {
  'x-forwarded-host': () => ({ 'x-forwarded-host': forgedHost }),
  forwarded: (scheme) => ({ forwarded: `for=192.0.2.1;host=${forgedHost};proto=${scheme}` }),
  'x-forwarded-proto': (scheme) => ({ 'x-forwarded-proto': scheme }),
  'x-forwarded-port': () => ({ 'x-forwarded-port': '9' }),
  'x-forwarded-server': () => ({ 'x-forwarded-server': forgedHost }),
  'x-forwarded-prefix': () => ({ 'x-forwarded-prefix': `/${forgedHost}` }),
  // As a proxy sends them, one of which alone may be believed by nobody.
  'x-forwarded-headers': (scheme) => ({
    'x-forwarded-for': '192.0.2.1',
    'x-forwarded-host': forgedHost,
    'x-forwarded-port': scheme === 'https' ? '443' : '80',
    'x-forwarded-proto': scheme,
  }),
  'x-original-host': () => ({ 'x-original-host': forgedHost }),
  'x-host': () => ({ 'x-host': forgedHost }),
  'x-original-url': (scheme) => ({ 'x-original-url': `${scheme}://${forgedHost}/mcp` }),
  // What a page of that host would send: where a request comes from, and not where it goes to (RFC 6454 §7).
  origin: (scheme) => ({ origin: `${scheme}://${forgedHost}` }),
}

export const forgedHostScenarios = Object.entries(claims).map(([name, claim]) =>
  scenario({
    id: `forged-${name}`,
    title: `the call, and the fetch of the metadata, claim another address by ${name}`,
    control,
    async drive({ call, fetchMetadata, endpoint }) {
      const headers = claim(endpoint.startsWith('https:') ? 'http' : 'https')
      await fetchMetadata(await call(), headers)
      await call({ headers })
      // What was believed once may be remembered.
      await call()
    },
    checks: [
      check(
        'mcp-auth-challenge/server/not-misleading',
        `does not believe ${name}`,
        isNotSteered(forgedHost),
      ),
    ],
  }),
)
