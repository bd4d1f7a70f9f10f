import { describe, expect, test } from 'vitest'
import { headerCredentials, vendorSecrets } from './environment.ts'
import { SecretLedger } from './ledger.ts'

const long = 's3cr3t-of-some-length-0123456789'

function found(
  env: Record<string, string>,
  environment: Record<string, string> = {},
  rest: object = {},
): string[] {
  return vendorSecrets({ target: { env }, ...rest }, environment)
}

test('what is taken from the environment is a secret, whatever its name', () => {
  expect(found({ KEY: '{env.API_KEY}' }, { API_KEY: long })).toEqual([long])
  expect(found({ HEADER: 'Bearer {env.TOOL_TOKEN}' }, { TOOL_TOKEN: long })).toEqual([long])
  expect(found({ A: '{env.B}' }, { B: 'kX81qPz2' })).toEqual(['kX81qPz2'])
  const uuid = '0b0f3a52-7a3e-4f0e-9a53-2f8b4f1f5f10'
  expect(found({ A: '{env.TENANT}' }, { TENANT: uuid })).toEqual([uuid])
})

test('what is written down under a telling name is a secret', () => {
  expect(found({ SESSION_SECRET: long })).toEqual([long])
  expect(found({ DB_PASSWORD: 'correct-horse-battery' })).toEqual(['correct-horse-battery'])
})

test.each([
  ['another name', { HOME_FOLDER: long }],
  ['a placeholder of ours', { OAUTH_CLIENT_SECRET: '{provider.clientSecret}' }],
  ['the name of a method', { AUTH_METHOD: 'client_secret_basic' }],
  ['a short value', { API_KEY: 'short' }],
  ['an address', { AUTH_URL: 'https://accounts.example/authorize' }],
  ['a path', { PRIVATE_DIR: '/var/lib/some/private/folder' }],
  ['a host and port', { AUTH_HOST: 'accounts.example.internal:8443' }],
  ['a variable that is not set', { KEY: '{env.NO_SUCH_KEY}' }],
])('%s is none', (_, env) => {
  expect(found(env)).toEqual([])
})

test.each([
  ['a word', 'production'],
  ['words', 'client_secret_basic'],
  ['a region', 'eu-central-1'],
  ['a number', '1234567890'],
  ['a date', '2026-11-22 08:15'],
  ['a version', 'v1.24.0'],
  ['an address', 'https://accounts.example/authorize'],
  ['a host', 'tool-7.eu.example.com'],
  ['a path', '/var/lib/tool/data'],
  ['a media type', 'application/json'],
  ['something short', 'x9-Kq2!'],
])('%s from the environment is none: recordings are full of them', (_, value) => {
  expect(found({ A: '{env.B}' }, { B: value })).toEqual([])
})

test('what the configuration shows elsewhere is none', () => {
  const client = { provider: { client: { id: 'my-client-9f3kQ' } } }
  expect(found({ ID: '{env.ID}' }, { ID: 'my-client-9f3kQ' }, client)).toEqual([])
})

test('a part of an address is none', () => {
  const target = { url: 'https://{env.HOST}.example', env: {} }
  expect(vendorSecrets({ target }, { HOST: 'tenant-9f3kQ-x' })).toEqual([])
})

test('the user part of every URL is a secret', () => {
  expect(
    vendorSecrets(
      {
        target: {
          url: 'https://bob:hunter2@tool.example/base',
          env: { DB: 'postgres://tool:p%40ss-w0rd@db.internal/tool', OTHER: '{env.GIT}' },
        },
      },
      { GIT: 'https://ghp_0123456789@git.example/x' },
    ),
  ).toEqual([
    'bob:hunter2',
    'hunter2',
    'tool:p%40ss-w0rd',
    'p%40ss-w0rd',
    'tool:p@ss-w0rd',
    'p@ss-w0rd',
    'ghp_0123456789',
  ])
})

describe('headers for invocations', () => {
  test.each<[string, string, string[]]>([
    ['authorization', 'Bearer k9Xq', ['Bearer k9Xq', 'k9Xq']],
    ['x-api-key', 'abcd', ['abcd']],
    ['authorization', 'Basic Ym9iOmh1bnRlcjI=', ['bob:hunter2', 'hunter2']],
    ['x-tenant', 'kX81qPz2', ['kX81qPz2']],
    ['accept', 'application/json', []],
    ['x-mode', 'production', []],
    ['x-flag', 'true', []],
  ])('%s: %s', (name, value, credentials) => {
    expect(headerCredentials(name, value)).toEqual(expect.arrayContaining(credentials))
    if (credentials.length === 0) expect(headerCredentials(name, value)).toEqual([])
  })
})

test('a short credential is masked where it stands alone, and encoded', () => {
  const ledger = new SecretLedger()
  for (const value of ['k9Xq', 'kX81qPz2']) ledger.add('vendor_secret', value)
  const redact = (text: string) => ledger.redact(text).text
  expect(redact('key=k9Xq; other kX81qPz2')).toBe(
    'key=[secret vendor_secret-1]; other [secret vendor_secret-2]',
  )
  expect(redact('k9Xq')).toBe('[secret vendor_secret-1]')
  expect(redact('ak9Xq k9Xqs xkX81qPz2')).toBe('ak9Xq k9Xqs xkX81qPz2')
  expect(redact(Buffer.from('user:kX81qPz2').toString('base64'))).toContain('vendor_secret-2')
})
