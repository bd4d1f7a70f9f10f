/** The provider under a name of the vendor's choice. */

import { expect, test } from 'vitest'
import { facilities, findLibrary } from '../harness/parties/facilities.ts'
import { certify, runCli, scratch } from './run-cli.ts'
import { plainNode, python } from './third-party.ts'

const hostname = 'provider.test'
const args = ['--filter', 'authorize-and-complete']

const wrapper = findLibrary('libnss-wrapper')

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

test('aoc doctor says what is here, and what installs the rest', async () => {
  const { code, stdout } = await runCli(['doctor', '--json'], scratch())
  const rows = JSON.parse(stdout) as { name: string; install: string; found: string | null }[]
  expect(code).toBe(0)
  expect(rows.map(({ name }) => name)).toEqual(facilities.map(({ name }) => name))
  expect(rows.find(({ name }) => name === 'libnss-wrapper')?.found).toBe(wrapper ?? null)
})
