import { execFile } from 'node:child_process'
import type { LookupAddress } from 'node:dns'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { LookupFunction } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { presets, type Deviation } from '../../../mock-provider/index.ts'
import { presetNames, presetsWithoutRefreshTokens, providerSchema } from '../provider-settings.ts'
import { hostsFile, lookupWith, namesEnvironment, parseHosts } from './local-names.ts'

const elsewhere: LookupFunction = (hostname, _options, callback) =>
  callback(new Error(`asked for ${hostname}`), '', 0)
const names = new Map([['provider.test', '127.0.0.77']])

function find(hostname: string, all: boolean): Promise<string | LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookupWith(names, elsewhere)(hostname, { all }, (error, address) =>
      error ? reject(error) : resolve(address),
    )
  })
}

test('its names are this machine, others are looked up', async () => {
  expect(await find('provider.test', false)).toBe('127.0.0.77')
  expect(await find('Provider.TEST', true)).toEqual([{ address: '127.0.0.77', family: 4 }])
  await expect(find('other.test', false)).rejects.toThrow('asked for other.test')
})

test('a hosts file keeps localhost', () => {
  expect(hostsFile(names)).toBe('127.0.0.1 localhost\n::1 localhost\n127.0.0.77 provider.test\n')
})

test('a hosts file is read as others write it', () => {
  expect(parseHosts(hostsFile(names))).toEqual(names)
  expect(parseHosts('# none\n\n10.0.0.1\ta.test  B.test # two\n127.0.0.1 localhost')).toEqual(
    new Map([
      ['a.test', '10.0.0.1'],
      ['b.test', '10.0.0.1'],
    ]),
  )
})

test('a program of Node finds them every way', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'names-'))
  const file = join(folder, 'hosts')
  writeFileSync(file, hostsFile(names))
  const env = { PATH: process.env['PATH'], ...namesEnvironment(file, undefined) }
  const program = `
    import dns, { lookup } from 'node:dns'
    const one = await new Promise((resolve) => lookup('provider.test', (_, address) => resolve(address)))
    const four = await new Promise((resolve) => dns.lookup('provider.test', 4, (_, address) => resolve(address)))
    const { address } = await dns.promises.lookup('provider.test')
    const all = await dns.promises.lookup('provider.test', { all: true })
    const local = await dns.promises.lookup('localhost', { family: 4 })
    console.log(JSON.stringify([one, four, address, all[0].address, local.address]))`
  const args = ['--input-type=module', '-e', program]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  rmSync(folder, { recursive: true })
  expect(JSON.parse(stdout)).toEqual([...Array(4).fill('127.0.0.77'), '127.0.0.1'])
})

test.each([
  '127.0.0.1',
  '::1',
  'localhost',
  'Provider.test',
  'a..test',
  'provider.test:8443',
  '-a.test',
  '1.2',
])('%s is no host name for the provider', (hostname) => {
  expect(providerSchema.safeParse({ hostname }).success).toBe(false)
  expect(providerSchema.safeParse({ hostnames: ['github.com', hostname] }).success).toBe(false)
})

test.each(['provider.test', 'login.my-company.example', 'github.com'])('%s is one', (hostname) =>
  expect(providerSchema.parse({ hostname }).hostname).toBe(hostname),
)

const hostnames = ['github.com']

test.each([
  ['two ways to be called', { hostname: 'provider.test', hostnames }],
  ['no names', { hostnames: [] }],
  ['another port', { hostnames, port: 8443 }],
  ['a secret that may be real', { hostnames, client: { secret: '0123456789abcdef0123' } }],
])('real names do not go with %s', (_, settings) =>
  expect(providerSchema.safeParse(settings).success).toBe(false),
)

test('real names go with a secret that is visibly fake', () => {
  const client = { secret: 'a-fake-secret-of-the-run' }
  expect(providerSchema.parse({ hostnames, client }).client.secret).toBe(client.secret)
})

test('every preset may be chosen', () => {
  expect(presetNames).toEqual(Object.keys(presets))
})

test.each(presetNames)('whether %s ever issues refresh tokens is known', (name) => {
  const deviations: readonly Deviation[] = Object.values(presets[name].deviations)
  const never = deviations.some(({ refreshToken }) => String(refreshToken) === '() => false')
  expect(presetsWithoutRefreshTokens.includes(name)).toBe(never)
})
