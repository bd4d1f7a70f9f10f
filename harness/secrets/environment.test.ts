import { expect, test } from 'vitest'
import { vendorSecrets } from './environment.ts'

const long = 's3cr3t-of-some-length-0123456789'

function found(env: Record<string, string>, environment: Record<string, string> = {}): string[] {
  return vendorSecrets({ target: { env } }, environment)
}

test('what is taken from the environment under a telling name is a secret', () => {
  expect(found({ KEY: '{env.API_KEY}' }, { API_KEY: long })).toEqual([long])
  expect(found({ HEADER: 'Bearer {env.TOOL_TOKEN}' }, { TOOL_TOKEN: long })).toEqual([long])
})

test('what is written down under a telling name is a secret', () => {
  expect(found({ SESSION_SECRET: long })).toEqual([long])
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
