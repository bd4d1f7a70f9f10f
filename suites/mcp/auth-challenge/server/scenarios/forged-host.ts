import { isNotSteered } from '../judges/metadata.ts'
import { check, control, scenario } from './define.ts'

/** A host that is claimed, and that nobody has. */
const forgedHost = 'forged.example'

/** What a client says that claims to be a proxy, or a page elsewhere, by the scheme that the endpoint has not. */
const claims = {
  'x-forwarded-host': () => forgedHost,
  forwarded: (scheme: string) => `for=192.0.2.1;host=${forgedHost};proto=${scheme}`,
  'x-forwarded-proto': (scheme: string) => scheme,
  'x-forwarded-port': () => '9',
  'x-forwarded-server': () => forgedHost,
  'x-forwarded-prefix': () => `/${forgedHost}`,
  'x-original-host': () => forgedHost,
  'x-host': () => forgedHost,
  'x-original-url': (scheme: string) => `${scheme}://${forgedHost}/mcp`,
  // What a page of that host would send: where a request comes from, and not where it goes to (RFC 6454 §7).
  origin: (scheme: string) => `${scheme}://${forgedHost}`,
}

export const forgedHostScenarios = Object.entries(claims).map(([name, claim]) =>
  scenario({
    id: `forged-${name}`,
    title: `the call, and the fetch of the metadata, claim another address by ${name}`,
    control,
    async drive({ call, fetchMetadata, endpoint }) {
      const headers = { [name]: claim(endpoint.startsWith('https:') ? 'http' : 'https') }
      await fetchMetadata(await call(), headers)
      await call({ headers })
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
