import { spawn } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveMockProvider, type RunningProvider } from '../provider/serve.ts'
import { createAuthority } from './authority.ts'

let folder: string
let provider: RunningProvider
let caPem: string
let leaf: string

beforeAll(async () => {
  const authority = await createAuthority()
  const tls = await authority.issue(['provider.internal'])
  provider = await serveMockProvider({ tls })
  caPem = authority.caPem
  leaf = tls.cert
  folder = await mkdtemp(join(tmpdir(), 'authority-'))
  await writeFile(join(folder, 'ca.pem'), caPem)
  await writeFile(join(folder, 'leaf.pem'), leaf)
})

afterAll(async () => {
  await provider.close()
  await rm(folder, { recursive: true })
})

/** Runs a program; undefined where it is not installed. */
function run(command: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: folder })
    let output = ''
    child.stdout.on('data', (chunk) => (output += String(chunk)))
    child.stderr.on('data', (chunk) => (output += String(chunk)))
    child.on('error', () => resolve(undefined))
    child.on('close', () => resolve(output.trim()))
  })
}

describe('a certificate', () => {
  test('names the hosts asked for and this machine', () => {
    expect(new X509Certificate(leaf).subjectAltName).toBe(
      'DNS:provider.internal, DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
    )
    expect(new X509Certificate(caPem).ca).toBe(true)
  })

  test('is accepted by OpenSSL in strict mode', async ({ skip }) => {
    const args = [
      'verify',
      '-x509_strict',
      '-purpose',
      'sslserver',
      '-CAfile',
      'ca.pem',
      'leaf.pem',
    ]
    const output = await run('openssl', args)
    skip(output === undefined, 'openssl is not installed')
    expect(output).toBe('leaf.pem: OK')
  })

  test('is accepted by Python in strict mode, under each local name', async ({ skip }) => {
    const script = `
import socket, ssl
context = ssl.create_default_context(cafile='ca.pem')
context.verify_flags |= ssl.VERIFY_X509_STRICT
for name in ('localhost', '127.0.0.1'):
    with socket.create_connection(('127.0.0.1', ${provider.port})) as raw:
        with context.wrap_socket(raw, server_hostname=name) as secured:
            print(secured.version())
`
    const output = await run('python3', ['-c', script])
    skip(output === undefined, 'python3 is not installed')
    expect(output?.split(/\s+/)).toEqual(['TLSv1.3', 'TLSv1.3'])
  })
})
