/** The provider as those get it who want nothing else: built, packed, installed, served and embedded. */

import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { buildahIn, writeBase } from './container-base.ts'
import { scratch } from './run-cli.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../', import.meta.url))
/** What an installation may take, in MB as `du -sm` counts: the four libraries alone are 13. */
const most = 20

let project: string
/** The name of the packed package, in the project. */
let archive: string
beforeAll(async () => {
  // `dist` is as new as it has to be: other tests use it at the same time.
  await run('npx', ['jiti', 'scripts/provider-package.ts'], { cwd: root })
  project = scratch()
  const packing = ['pack', './dist-provider', '--json', '--pack-destination', project]
  const { stdout } = await run('npm', packing, { cwd: root })
  const [packed] = JSON.parse(stdout) as { filename: string }[]
  archive = packed?.filename ?? ''
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  const installing = ['install', '--no-audit', '--no-fund', `./${archive}`]
  await run('npm', installing, { cwd: project })
}, 240_000)

function isMissing(program: string): boolean {
  return spawnSync(program, ['--version']).error !== undefined
}

function aoc(...args: string[]) {
  return run('npx', ['aoc', ...args], { cwd: project }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, text: stderr }),
  )
}

test('it brings four libraries, and is small', () => {
  const modules = join(project, 'node_modules')
  const installed = readdirSync(modules).filter((name) => !name.startsWith('.'))
  expect(installed.toSorted()).toEqual([
    '@hono',
    'agent-oauth-mock-provider',
    'hono',
    'jose',
    'zod',
  ])
  const size = Number.parseInt(execFileSync('du', ['-sm', modules], { encoding: 'utf8' }), 10)
  expect(size).toBeLessThanOrEqual(most)
})

test('it is served over HTTPS by one command', async () => {
  const program = join(project, 'node_modules/.bin/aoc')
  const served = spawn(program, ['provider', '--port', '0', '--https', '--json'], { cwd: project })
  const [line] = (await once(served.stdout, 'data')) as [Buffer]
  const { issuer, ca } = JSON.parse(line.toString()) as { issuer: string; ca: string }
  const url = `${issuer}/.well-known/oauth-authorization-server`
  const [answer] = await once(request(url, { ca: readFileSync(ca) }).end(), 'response')
  expect(answer.statusCode).toBe(200)
  served.kill('SIGINT')
  expect(await once(served, 'exit')).toEqual([0, null])
})

test('it is embedded', async () => {
  writeFileSync(
    join(project, 'embedded.mjs'),
    `import { serveMockProvider } from 'agent-oauth-mock-provider'
const provider = await serveMockProvider()
const response = await fetch(provider.issuer + '/.well-known/openid-configuration')
console.log(response.status)
await provider.close()`,
  )
  const { stdout } = await run(process.execPath, ['embedded.mjs'], { cwd: project })
  expect(stdout).toBe('200\n')
})

test.each([
  ['sqlite:provider.db', 'npm install node-sqlite3-wasm'],
  ['redis://127.0.0.1:1', 'npm install @redis/client'],
])('--storage %s says what is missing', async (storage, command) => {
  const { code, text } = await aoc('provider', '--port', '0', '--storage', storage)
  expect(code).toBe(2)
  expect(text).toContain(command)
})

/** Tests of other languages that start it, as docs/examples/languages has them. */
const languages = [
  ['pytest', 'python3', ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], /1 passed/],
  ['go', 'go', ['test', './...'], /^ok /m],
  ['rust', 'cargo', ['test'], /test login \.\.\. ok/],
  ['junit', 'mvn', ['-B', 'test'], /Tests run: 1, Failures: 0, Errors: 0, Skipped: 0/],
] as const

const installed = languages.filter(([, program]) => !isMissing(program))
test.each(installed)(
  'it is started by tests of %s',
  async (folder, program, args, says) => {
    const copy = join(project, 'languages')
    cpSync(join(root, 'docs/examples/languages'), copy, { recursive: true })
    const env = { ...process.env, AOC: join(project, 'node_modules/.bin/aoc') }
    const { stdout } = await run(program, [...args], { cwd: join(copy, folder), env })
    expect(stdout).toMatch(says)
  },
  300_000,
)

/** What an image says about itself. */
interface ImageConfiguration {
  readonly User: string
  readonly Entrypoint: readonly string[]
  readonly Healthcheck: { readonly Test: readonly string[] }
}

test.skipIf(isMissing('buildah') || process.platform !== 'linux')(
  'its container is built without an image registry, is not root, and says whether it is well',
  async () => {
    const folder = scratch()
    const buildah = buildahIn(join(folder, 'storage'))
    const base = join(folder, 'base')
    writeBase(base)
    buildah('bud', '--isolation', 'chroot', '-t', 'localhost/base', base)

    const recipe = join(folder, 'recipe')
    cpSync(join(root, 'docs/examples/container'), recipe, { recursive: true })
    copyFileSync(join(project, archive), join(recipe, archive))
    const manifest = readFileSync(join(recipe, 'package.json'), 'utf8')
    const packed = manifest.replace(/(mock-provider": )"[^"]*"/, `$1"file:${archive}"`)
    expect(packed).not.toBe(manifest)
    writeFileSync(join(recipe, 'package.json'), packed)
    const building = ['--isolation', 'chroot', '--format', 'docker', '--pull-never']
    const arg = ['--build-arg', 'BASE=localhost/base']
    buildah('bud', ...building, ...arg, '-t', 'localhost/provider', recipe)

    const { Docker } = JSON.parse(buildah('inspect', '--type', 'image', 'localhost/provider')) as {
      readonly Docker: { readonly config: ImageConfiguration }
    }
    const { User, Entrypoint, Healthcheck } = Docker.config
    expect(User).toBe('1000:1000')

    const container = buildah('from', '--pull-never', 'localhost/provider').trim()
    const storage = join(folder, 'storage')
    const where = ['--root', join(storage, 'root'), '--runroot', join(storage, 'run')]
    const inside = ['--storage-driver', 'vfs', ...where, 'run', '--isolation', 'chroot', container]
    const served = spawn('buildah', [...inside, '--', ...Entrypoint, '--port', '0', '--json'])
    const [line] = (await once(served.stdout, 'data')) as [Buffer]
    const { port, pid } = JSON.parse(line.toString()) as { port: number; pid: number }
    const url = `http://127.0.0.1:${port}/.well-known/openid-configuration`
    expect((await fetch(url)).status).toBe(200)
    expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/^Uid:\s+1000\s/m)

    const [kind, ...check] = Healthcheck.Test
    expect(kind).toBe('CMD')
    const asked = check.map((part) => part.replace(':9400/', `:${port}/`))
    await run('buildah', [...inside, '--', ...asked])
    process.kill(pid, 'SIGTERM')
    await once(served, 'exit')
    await expect(run('buildah', [...inside, '--', ...asked])).rejects.toThrow()
  },
  300_000,
)

test('what it does not have is not offered', async () => {
  expect((await aoc('--help')).text).not.toContain('certify')
  expect((await aoc('run')).code).toBe(2)
})
