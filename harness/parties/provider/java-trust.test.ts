import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createAuthority } from '../../../mock-provider/index.ts'
import { javaTrustOptions, javaTrustStore } from './java-trust.ts'

const hasJdk = spawnSync('keytool', ['-version']).status === 0

test('the store begins as JKS does, and holds the certificate', async () => {
  const { caPem } = await createAuthority()
  const store = javaTrustStore(caPem)
  expect(store.subarray(0, 4).toString('hex')).toBe('feedfeed')
  expect(store.includes(new X509Certificate(caPem).raw)).toBe(true)
})

test('a JDK reads it, and finds it whole', async ({ skip }) => {
  skip(!hasJdk, 'no JDK is installed')
  const { caPem } = await createAuthority()
  const folder = mkdtempSync(join(tmpdir(), 'jks-'))
  const file = join(folder, 'ca.jks')
  writeFileSync(file, javaTrustStore(caPem))
  const args = ['-list', '-rfc', '-keystore', file, '-storetype', 'JKS', '-storepass', 'changeit']
  const { status, stdout } = spawnSync('keytool', args, { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  expect(status).toBe(0)
  expect(stdout).toContain('trustedCertEntry')
  const [shown = ''] = /-----BEGIN[^]*END CERTIFICATE-----/.exec(stdout) ?? []
  expect(new X509Certificate(shown).raw).toEqual(new X509Certificate(caPem).raw)
})

test('a JVM is told where it is', () => {
  expect(javaTrustOptions('/x/ca.jks')['JAVA_TOOL_OPTIONS']).toContain(
    '-Djavax.net.ssl.trustStore=/x/ca.jks ',
  )
})
