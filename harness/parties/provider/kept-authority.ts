/** A certificate authority in a folder, for tools that must trust it before the run begins. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAuthority, type Authority } from '../../../mock-provider/index.ts'

/** File names below the folder: the certificate to trust, and the key, which only its owner may read. */
export const authorityFiles = { certificate: 'ca.pem', key: 'ca.key.pem' }

/** Reads the authority of the folder, or makes one there. */
export async function keptAuthority(directory: string): Promise<Authority> {
  const certificate = join(directory, authorityFiles.certificate)
  const key = join(directory, authorityFiles.key)
  if (existsSync(certificate) && existsSync(key)) {
    return createAuthority({
      caPem: readFileSync(certificate, 'utf8'),
      keyPem: readFileSync(key, 'utf8'),
    })
  }
  const authority = await createAuthority()
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  writeFileSync(key, authority.keyPem, { mode: 0o600 })
  writeFileSync(certificate, authority.caPem)
  return authority
}
