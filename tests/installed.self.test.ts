/** The package as its users get it: packed, installed, and used from the vitest of their own project. */

import { execFile } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { implementation, scratch } from './run-cli.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../', import.meta.url))
const example = join(root, 'docs/examples/vitest')

let tarball: string
beforeAll(async () => {
  const folder = scratch()
  const packing = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const { stdout } = await run('npm', packing, { cwd: root })
  const [packed] = JSON.parse(stdout) as { filename: string }[]
  tarball = join(folder, packed?.filename ?? '')
}, 900_000)

/** A project of its own with the example, our package and this version of vitest. */
async function install(vitest: string): Promise<string> {
  const project = scratch()
  cpSync(example, project, { recursive: true })
  for (const file of ['server.mjs', 'toolset.mjs'])
    cpSync(implementation(`plain-node/${file}`), join(project, file))
  const file = join(project, 'package.json')
  const own = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  const devDependencies = { 'agent-oauth-conformance': `file:${tarball}`, vitest }
  writeFileSync(file, JSON.stringify({ ...own, devDependencies }))
  await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: project })
  return project
}

/** Our own tests run on the newest vitest; with the other one, a few scenarios show that it collects and reports. */
const some = ['-t', 'authorize-and-complete|denied-consent|insecure-authorization-endpoint']

test.each([
  ['^4.1.0', [], 150],
  ['^3.2.0', some, 10],
])(
  'a vendor certifies with vitest %s at the top of its project',
  async (vitest, selection, least) => {
    const project = await install(vitest)
    const { FORCE_COLOR: _, VITEST: __, ...env } = process.env
    const results = join(project, 'results.json')
    const args = ['vitest', 'run', '--reporter=json', `--outputFile=${results}`, ...selection]
    await run('npx', args, { cwd: project, env, maxBuffer: 64 * 1024 * 1024 })
    const { numFailedTests, numPassedTests } = JSON.parse(readFileSync(results, 'utf8')) as {
      numFailedTests: number
      numPassedTests: number
    }
    expect(numFailedTests).toBe(0)
    expect(numPassedTests).toBeGreaterThan(least)
    await expectExplained(project, env)
    const { stdout } = await run('npx', ['aoc', '--version'], { cwd: project })
    expect(stdout).toMatch(/^\d+\.\d+\.\d+/)
  },
  900_000,
)

/** A tool that does not start: the reader sees what it printed, once, and nothing about our insides. */
async function expectExplained(project: string, env: NodeJS.ProcessEnv): Promise<void> {
  const settings = {
    implementation: { name: 'broken' },
    target: { command: ['node', '-e', 'console.error("set PORT first"); process.exit(3)'] },
    operation: { name: 'list_items', scopes: ['items:read'] },
  }
  const text = `import { conformance } from 'agent-oauth-conformance/vitest'
conformance('rap-oauth/tool', ${JSON.stringify(settings)})`
  writeFileSync(join(project, 'broken.test.js'), text)
  const ended = run('npx', ['vitest', 'run', 'broken'], {
    cwd: project,
    env,
    maxBuffer: 64 * 1024 * 1024,
  })
  const { stderr } = await ended.catch((error: { readonly stderr: string }) => error)
  expect(stderr).toContain('exited with code 3 before it answered')
  expect(stderr).toContain('set PORT first')
  expect(stderr).not.toMatch(/TypeError|node_modules/)
}
