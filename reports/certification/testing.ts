/** A time stamp authority for tests, made of OpenSSL: nothing of ours signs what ours checks. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TimeStampAuthority {
  /** PEM file of the certificate that its users trust. */
  readonly trusted: string
  /** The DER reply to a DER request. */
  reply(query: Uint8Array): Buffer
  close(): void
}

/** Makes one. */
export function startAuthority(): TimeStampAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'time-stamp-authority-'))
  const openssl = (...args: readonly string[]): void => {
    execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
  }
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout']
  openssl('req', '-x509', ...key, 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Root', '-days', '2')
  openssl('req', ...key, 'tsa.key', '-out', 'tsa.csr', '-subj', '/CN=Test authority')
  writeFileSync(join(folder, 'extensions'), 'extendedKeyUsage=critical,timeStamping\n')
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2']
  openssl('x509', '-req', '-in', 'tsa.csr', ...signing, '-extfile', 'extensions', '-out', 'tsa.pem')
  writeFileSync(join(folder, 'serial'), '01\n')
  const settings =
    'serial=./serial\nsigner_digest=sha256\ndefault_policy=1.2.3.4.1\ndigests=sha256\n'
  writeFileSync(join(folder, 'tsa.cnf'), `[tsa]\ndefault_tsa=one\n[one]\n${settings}`)
  return {
    trusted: join(folder, 'ca.pem'),
    reply(query) {
      writeFileSync(join(folder, 'query'), query)
      const signer = ['-signer', 'tsa.pem', '-inkey', 'tsa.key']
      openssl('ts', '-reply', '-config', 'tsa.cnf', '-queryfile', 'query', ...signer, '-out', 'out')
      return readFileSync(join(folder, 'out'))
    },
    close: () => rmSync(folder, { recursive: true }),
  }
}
