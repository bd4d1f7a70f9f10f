import { execFile } from 'node:child_process'
import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { providerSchema } from '../configuration.ts'
import { hostsFile, lookupWith, nodeEnvironment } from './local-names.ts'

const elsewhere: LookupFunction = (hostname, _options, callback) =>
  callback(new Error(`asked for ${hostname}`), '', 0)

function find(hostname: string, all: boolean): Promise<string | LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookupWith(new Set(['provider.test']), elsewhere)(hostname, { all }, (error, address) =>
      error ? reject(error) : resolve(address),
    )
  })
}

test('its names are this machine, others are looked up', async () => {
  expect(await find('provider.test', false)).toBe('127.0.0.1')
  expect(await find('Provider.TEST', true)).toEqual([{ address: '127.0.0.1', family: 4 }])
  await expect(find('other.test', false)).rejects.toThrow('asked for other.test')
})

test('a hosts file keeps localhost', () => {
  expect(hostsFile(['provider.test'])).toBe('127.0.0.1 localhost provider.test\n::1 localhost\n')
})

test('a program of Node finds them every way', async () => {
  const env = { PATH: process.env['PATH'], ...nodeEnvironment(['provider.test'], '--no-warnings') }
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
  expect(JSON.parse(stdout)).toEqual(Array.from({ length: 5 }, () => '127.0.0.1'))
})

test('nothing is put before a program where there are no names', () => {
  expect(nodeEnvironment([], '--no-warnings')).toEqual({})
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
])('%s is no host name for the provider', (hostname) =>
  expect(providerSchema.safeParse({ hostname }).success).toBe(false),
)

test.each(['provider.test', 'login.my-company.example', 'github.com'])('%s is one', (hostname) =>
  expect(providerSchema.parse({ hostname }).hostname).toBe(hostname),
)
