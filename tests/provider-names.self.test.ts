/** The provider under a name of the vendor's choice, and under those of a real one. */

import { expect, test } from 'vitest'
import { facilities, findLibrary } from '../harness/parties/facilities.ts'
import { certify, implementation, requirementsWith, runCli, scratch } from './run-cli.ts'
import { plainNode, python } from './third-party.ts'

const hostname = 'provider.test'
const args = ['--filter', 'authorize-and-complete']

const wrapper = findLibrary('libnss-wrapper')
/** Without the library or port 443 nothing of this is possible, and a run says so. */
const canBeReal =
  wrapper !== undefined &&
  (await facilities.find(({ name }) => name === 'port 443')?.find()) !== undefined

type Settings = Readonly<Record<string, unknown>>

function named(configuration: Settings, env: Settings = {}): Settings {
  const { target, provider } = configuration as { target: { env: Settings }; provider?: Settings }
  return {
    ...configuration,
    target: { ...target, env: { ...target.env, ...env } },
    provider: { ...provider, hostname },
  }
}

/** Conformant, under that name, and with the name where a reader of the run sees it. */
async function expectNamed(configuration: Settings): Promise<void> {
  const { code, record } = await certify(configuration, { args })
  expect({ code, failures: record.failures }).toEqual({ code: 0, failures: [] })
  expect(record.facts).toMatchObject({ provider: expect.stringContaining(`https://${hostname}:`) })
  expect(record.configuration).toMatchObject({ provider: { hostname } })
}

test('a program of Node resolves it by the file that is loaded before it', () =>
  expectNamed(named(plainNode)))

test.skipIf(wrapper === undefined)('a program in Python resolves it by libnss-wrapper', () =>
  expectNamed(named(python, { LD_PRELOAD: String(wrapper), NSS_WRAPPER_HOSTS: '{hosts.file}' })),
)

const github: Settings = {
  profile: 'rap-oauth/tool',
  implementation: { name: 'github-tool' },
  target: {
    command: [process.execPath, implementation('github-tool/server.mjs')],
    endpoint: '/rap',
    env: {
      PORT: '{port}',
      DATA_DIR: '{data.dir}',
      PENDING_TIMEOUT_MS: '{pendingTimeoutMs}',
      GITHUB_CLIENT_ID: '{provider.clientId}',
      GITHUB_CLIENT_SECRET: '{provider.clientSecret}',
    },
  },
  provider: {
    hostnames: ['github.com', 'api.github.com'],
    preset: 'github',
    scopes: ['read:user'],
  },
  operation: { name: 'who_am_i', scopes: ['read:user'] },
  timing: { concurrency: 4 },
  declares: { pendingTimeout: '10s', tokenStore: ['{data.dir}/store'] },
}

test.skipIf(!canBeReal)(
  "a tool with GitHub's own client library, which knows github.com alone, is certified unmodified",
  async () => {
    const { code, record } = await certify(github)
    expect({ code, failures: record.failures, fails: requirementsWith(record, 'fail') }).toEqual({
      code: 0,
      failures: [],
      fails: [],
    })
    expect(record.facts).toMatchObject({ provider: 'https://github.com' })
  },
)

test.skipIf(!canBeReal)('a tool that resolves names in another way is not judged', async () => {
  const { target } = github as { target: { env: Settings } }
  const away = { LD_PRELOAD: '', NODE_OPTIONS: '', NSS_WRAPPER_HOSTS: '/dev/null' }
  const elsewhere = { ...github, target: { ...target, env: { ...target.env, ...away } } }
  const { code, record } = await certify(elsewhere, { args })
  expect(code).toBe(3)
  expect([...new Set(record.findings.map(({ verdict }) => verdict))]).toEqual(['inconclusive'])
  expect(record.findings[0]?.message).toContain('may have talked to the real provider')
})

test('aoc doctor says what is here, and what installs the rest', async () => {
  const { code, stdout } = await runCli(['doctor', '--json'], scratch())
  const rows = JSON.parse(stdout) as { name: string; install: string; found: string | null }[]
  expect(code).toBe(0)
  expect(rows.map(({ name }) => name)).toEqual(facilities.map(({ name }) => name))
  expect(rows.find(({ name }) => name === 'libnss-wrapper')?.found).toBe(wrapper ?? null)
})
