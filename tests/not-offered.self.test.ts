/** What a run says that asks for what its machine does not offer: one sentence, before anything is started. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findLibrary } from '../harness/parties/facilities.ts'
import { conformance as agent } from '../suites/adk-credential/agent/reference/conformance.ts'
import { conformance as delegated } from '../suites/mcp/delegated-authorization/server/reference/conformance.ts'
import { conformance as elicitation } from '../suites/mcp/url-elicitation/server/reference/conformance.ts'
import { conformance as manager } from '../suites/penguiflow-oauth/manager/reference/conformance.ts'
import { conformance as runtime } from '../suites/rap-oauth/runtime/reference/conformance.ts'
import { conformance as tool } from '../suites/rap-oauth/tool/reference/conformance.ts'
import { marked, runCli, scratch, type CliOptions } from './run-cli.ts'
import { octokit } from './wired-tools.ts'

type Settings = Readonly<Record<string, unknown>>

/** To be run before the command line: what it finds then is what another machine has. */
const preloaded = (code: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
})
const withoutLibraries = preloaded(`
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const { existsSync } = fs
  fs.existsSync = (path) => !/nss_wrapper|faketime/.test(path) && existsSync(path)
  syncBuiltinESMExports()`)
const onAnotherSystem = preloaded(`Object.defineProperty(process, 'platform', { value: 'darwin' })`)

/** Whose clock is to be moved. It is not started, so any program will do. */
const jumping = (profile: string, conformance: Settings) => ({
  ...conformance,
  profile,
  implementation: { name: 'reference' },
  target: { ...(conformance['target'] as Settings), command: ['node', 'server.js'], clock: 'jump' },
})
const moved = [
  jumping('rap-oauth/tool', tool),
  jumping('rap-oauth/runtime', runtime),
  jumping('penguiflow-oauth/manager', manager),
  jumping('adk-credential/agent', agent),
  jumping('mcp-url-elicitation/server', elicitation),
  jumping('mcp-delegated-authorization/server', delegated),
]
const moving = ['libfaketime', 'apt-get install -y faketime'] as const

async function refused(settings: Settings, how: Pick<CliOptions, 'env' | 'by'>) {
  const folder = scratch()
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  const { configuration, running } = marked(settings)
  writeFileSync(join(folder, 'c.json'), JSON.stringify(configuration))
  const { code, stderr } = await runCli(['run', '--config', 'c.json', '--output', 'out'], folder, {
    ...how,
    env: { ...how.env, TMPDIR: temporary },
  })
  expect({ code, running: running() }).toEqual({ code: 2, running: [] })
  expect(readdirSync(folder).toSorted()).toEqual(['c.json', 'tmp'])
  expect(readdirSync(temporary)).toEqual([])
  return stderr
}

test.each<readonly [string, Settings, string, string]>([
  ['real names', octokit, 'libnss-wrapper', 'apt-get install -y libnss-wrapper'],
  ...moved.map((each) => [`a moved clock, ${each.profile}`, each, ...moving] as const),
])('%s, without the library', async (_, settings, library, install) => {
  for (const env of [withoutLibraries, onAnotherSystem]) {
    const said = await refused(settings, { env })
    expect(said).toContain(`needs ${library}, which is not here; ${install}`)
    expect(said.includes('on Linux; this is another system')).toBe(env === onAnotherSystem)
  }
})

/** A user who may not have port 443, root or not; or a machine on which everybody may. */
const unprivileged = ['--bounding-set', '-net_bind_service', '--inh-caps', '-net_bind_service']
const listening = `require('net').createServer().once('error', () => process.exit(3)).listen(443, '127.0.0.78', () => process.exit(0))`

function whoMayNot(): readonly string[] | undefined {
  return [[], ['setpriv', ...unprivileged]].find((before) => {
    const [command, ...args] = [...before, process.execPath, '-e', listening]
    try {
      execFileSync(command, args, { stdio: 'pipe' })
      return false
    } catch (error) {
      return (error as { status?: unknown }).status === 3
    }
  })
}

test('real names, without port 443', async ({ skip }) => {
  if (!findLibrary('libnss-wrapper')) skip('libnss-wrapper is not here')
  const by = whoMayNot() ?? skip('everybody may listen on port 443 here')
  const said = await refused(octokit, { by })
  expect(said).toContain('this user may not listen on port 443')
  for (const way of [
    'run as root',
    'setcap cap_net_bind_service=+ep',
    'ip_unprivileged_port_start=443',
  ])
    expect(said).toContain(way)
})
