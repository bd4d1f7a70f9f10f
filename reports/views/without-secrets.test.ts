import { expect, test } from 'vitest'
import { commonSchema } from '../../harness/parties/index.ts'
import { shortenPaths, withoutSecrets } from './without-secrets.ts'

test('leaves every credential out of a configuration', () => {
  const configuration = commonSchema.parse({
    profile: 'p',
    target: {
      url: 'https://bob:hunter2-url@tool.example/base',
      headers: { authorization: 'Bearer hunter2-header', 'x-tenant': 'hunter2-tenant' },
      env: {
        API_KEY: 'hunter2-env',
        GITHUB_TOKEN: '{env.X}hunter2-part',
        OAUTH_CLIENT_SECRET: '{provider.clientSecret}',
        PORT: '{port}',
        DATABASE: 'postgres://tool:hunter2-db@db.internal/tool',
        PIN: '{env.PIN}hunter2-pin',
      },
      command: ['serve', '--proxy=http://bob:hunter2-proxy@proxy.example'],
    },
    provider: { client: { secret: 'hunter2-client-secret' } },
  })
  const stored = withoutSecrets(configuration)
  expect(JSON.stringify(stored)).not.toContain('hunter2')
  expect(stored).toMatchObject({
    target: {
      url: 'https://tool.example/base',
      headers: { authorization: '[not recorded]', 'x-tenant': '[not recorded]' },
      env: {
        OAUTH_CLIENT_SECRET: '{provider.clientSecret}',
        PORT: '{port}',
        DATABASE: 'postgres://db.internal/tool',
      },
      command: ['serve', '--proxy=http://proxy.example'],
    },
    provider: { client: { id: 'client-1', secret: '[not recorded]' } },
  })
})

test('shortens folders where they stand as a path of their own', () => {
  const folders = { '{package}': '/home/bob/suite', '~': '/home/bob', nothing: '/' }
  expect(
    shortenPaths(
      ['/home/bob/suite/dist/x.js', 'at /home/bob/a:1', '/home/bobby', 'http://h/home/bob/x', '/'],
      folders,
    ),
  ).toEqual(['{package}/dist/x.js', 'at ~/a:1', '/home/bobby', 'http://h/home/bob/x', '/'])
})
