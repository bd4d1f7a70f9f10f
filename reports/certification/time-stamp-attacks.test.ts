/** Time stamps by whoever has some certificate, or none, of the authority that a reader trusts. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyTimeStamp } from './time-stamp.ts'

const content = Buffer.from('an envelope')
let folder: string
const openssl = (...args: readonly string[]): void => {
  execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
}
const text = (name: string): string => readFileSync(join(folder, name), 'utf8')
const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout']

/** A certificate and its key; by itself where no issuer is named. */
function issue(name: string, extensions: string, by = name, serial = 1): void {
  openssl('req', ...curve, `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`)
  const signing = by === name ? ['-signkey', `${name}.key`] : ['-CA', `${by}.pem`]
  const key = by === name ? [] : ['-CAkey', `${by}.key`]
  writeFileSync(join(folder, 'extensions'), extensions)
  const rest = ['-set_serial', String(serial), '-extfile', 'extensions', '-out', `${name}.pem`]
  openssl('x509', '-req', '-in', `${name}.csr`, ...signing, ...key, '-days', '2', ...rest)
}

const ca = 'basicConstraints=critical,CA:TRUE\n'
const stamping = 'extendedKeyUsage=critical,timeStamping\n'

/** A reply of this signer, with these certificates beside its own. */
function stamp(signer: string, beside: readonly string[] = [], digest = 'sha256'): Buffer {
  writeFileSync(join(folder, 'content'), content)
  openssl('ts', '-query', '-data', 'content', `-${digest}`, '-cert', '-out', 'query')
  writeFileSync(join(folder, 'beside.pem'), beside.map((name) => text(`${name}.pem`)).join(''))
  const by = ['-signer', `${signer}.pem`, '-inkey', `${signer}.key`]
  const chain = beside.length > 0 ? ['-chain', 'beside.pem'] : []
  const reply = ['-reply', '-config', 'tsa.cnf', '-queryfile', 'query']
  openssl('ts', ...reply, ...by, ...chain, '-out', 'reply')
  return readFileSync(join(folder, 'reply'))
}

/** The same statement, signed with a certificate for something else. */
function restate(reply: Buffer, signer: string, beside: string): Buffer {
  writeFileSync(join(folder, 'reply'), reply)
  openssl('ts', '-reply', '-in', 'reply', '-token_out', '-out', 'token')
  openssl('cms', '-verify', '-noverify', '-inform', 'DER', '-in', 'token', '-out', 'stated')
  const statement = ['-econtent_type', '1.2.840.113549.1.9.16.1.4', '-in', 'stated']
  const by = ['-signer', `${signer}.pem`, '-inkey', `${signer}.key`, '-certfile', `${beside}.pem`]
  const form = ['-binary', '-nodetach', '-outform', 'DER', '-out', 'forged']
  openssl('cms', '-sign', ...statement, ...by, ...form)
  const token = readFileSync(join(folder, 'forged'))
  const body = Buffer.concat([Buffer.from([0x30, 3, 2, 1, 0]), token])
  return Buffer.concat([Buffer.from([0x30, 0x82, body.length >> 8, body.length & 0xff]), body])
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'time-stamp-attacks-'))
  const settings = 'serial=./serial\nsigner_digest=sha256\ndefault_policy=1.2.3.4.1\n'
  const digests = 'digests=sha1,sha256\n'
  writeFileSync(join(folder, 'tsa.cnf'), `[tsa]\ndefault_tsa=one\n[one]\n${settings}${digests}`)
  writeFileSync(join(folder, 'serial'), '01\n')
  issue('root', ca)
  issue('authority', stamping, 'root', 2)
})
afterAll(() => rmSync(folder, { recursive: true }))

const trusting = (reply: Uint8Array) => verifyTimeStamp(reply, content, text('root.pem'))

test('one that is honest is taken', async () => {
  expect((await trusting(stamp('authority'))).by).toBe('CN=authority')
})

test('a certificate for servers with a namesake for time stamps is refused', async () => {
  issue('server', 'extendedKeyUsage=serverAuth\n', 'root', 7)
  // Its encoding is shorter, so that it stands first.
  issue('D', stamping, 'D', 7)
  await expect(trusting(restate(stamp('authority'), 'server', 'D'))).rejects.toThrow(
    'another purpose',
  )
})

test('a certificate that may not issue others is no authority', async () => {
  issue('customer', 'extendedKeyUsage=serverAuth\n', 'root', 8)
  issue('own', stamping, 'customer', 9)
  await expect(trusting(stamp('own', ['customer']))).rejects.toThrow('does not verify')
})

test('certificates that issue each other lead nowhere, quickly', async () => {
  issue('B', ca)
  issue('A', ca, 'B', 2)
  const old = text('B.key')
  openssl(
    'x509',
    '-req',
    '-in',
    'B.csr',
    '-CA',
    'A.pem',
    '-CAkey',
    'A.key',
    '-set_serial',
    '3',
    '-days',
    '2',
    '-extfile',
    'extensions',
    '-out',
    'B.pem',
  )
  expect(text('B.key')).toBe(old)
  issue('circular', stamping, 'A', 4)
  await expect(trusting(stamp('circular', ['A', 'B']))).rejects.toThrow('does not verify')
}, 20_000)

test('a digest that can be forged is refused', async () => {
  await expect(trusting(stamp('authority', [], 'sha1'))).rejects.toThrow('SHA-256')
})

test('one that an authority states for a time before its certificate is refused', async () => {
  issue('early', stamping, 'root', 11)
  const settings =
    'database=index\nnew_certs_dir=.\npolicy=any\ndefault_md=sha256\nrand_serial=yes\n'
  const config = `[ca]\ndefault_ca=one\n[one]\n${settings}[any]\ncommonName=supplied\n`
  writeFileSync(join(folder, 'ca.cnf'), config)
  writeFileSync(join(folder, 'index'), '')
  const by = ['-batch', '-config', 'ca.cnf', '-cert', 'root.pem', '-keyfile', 'root.key']
  const dates = ['-startdate', '20980101000000Z', '-enddate', '20990101000000Z']
  const files = ['-in', 'early.csr', '-out', 'early.pem', '-extfile', 'extensions', '-notext']
  openssl('ca', ...by, ...dates, ...files)
  await expect(trusting(stamp('early'))).rejects.toThrow('does not verify')
})

test.each([
  ['nested without an end', Buffer.concat(Array<Buffer>(49_000).fill(Buffer.from([0x30, 0x80])))],
  [
    'many in one',
    Buffer.concat([Buffer.from([0x30, 0x80]), Buffer.alloc(98_000, Buffer.from([5, 0]))]),
  ],
  ['of a length that is not there', Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff, 0x30])],
])('%s is no time stamp, and is refused before the deadline', async (_, bytes) => {
  await expect(trusting(bytes)).rejects.toThrow(/cannot be read|is none/)
})

test.each(['', 'x', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'])(
  'an authority file that holds none is said to',
  async (pem) => {
    const made = verifyTimeStamp(stamp('authority'), content, pem)
    await expect(made).rejects.toMatchObject({ code: 'invalid_bundle' })
  },
)
