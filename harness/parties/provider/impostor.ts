/** Certificates by which somebody else would pretend to be the provider: nobody may believe them (RFC 6749 §10.9). */

import {
  createAuthority,
  type Authority,
  type ServerCertificate,
} from '../../../mock-provider/index.ts'

/** Of an authority that nobody was told to trust, or of the trusted one for another host. */
export type Imposture = 'unknown-authority' | 'another-name'

/** A name that no provider has (RFC 2606 §2). */
const anotherName = 'another-host.invalid'

/** The certificate of an impostor at these names. */
export async function certificateOf(
  imposture: Imposture,
  names: readonly string[],
  trusted: Authority,
): Promise<ServerCertificate> {
  if (imposture === 'another-name') return trusted.issue([anotherName], { local: false })
  return (await createAuthority()).issue(names)
}
