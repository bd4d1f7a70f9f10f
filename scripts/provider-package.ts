/**
 * `npm run build:provider`: makes `dist-provider/`, the package of the mock provider alone, out of `dist/`: the library with
 * its types, and `aoc provider`. What only few use are optional peers; small libraries that it needs are inside
 * (docs/decisions/0030-the-provider-is-a-package-of-its-own.md).
 */

import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const out = join(root, 'dist-provider')

/** Libraries that types or users meet: one copy of each, kept up to date by whoever installs. */
const needed = ['@hono/node-server', 'hono', 'jose', 'zod']
/** A part each, which says what to install where it is missing (mock-provider/provider/optional.ts). */
const optional = ['@modelcontextprotocol/server', '@redis/client', 'msw', 'node-sqlite3-wasm']
const external = [...needed, ...optional]

interface Manifest {
  readonly version: string
  readonly license: string
  readonly engines: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
}

const whole = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
const { version, license, engines } = whole

rmSync(out, { recursive: true, force: true })
mkdirSync(out)
cpSync(join(dist, 'mock-provider'), join(out, 'mock-provider'), {
  recursive: true,
  filter: (path) => !path.endsWith('.js'),
})
await bundle()
for (const file of ['LICENSE', 'SECURITY.md']) copyFileSync(join(root, file), join(out, file))
copyFileSync(join(root, 'mock-provider/README.md'), join(out, 'README.md'))
writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)

async function bundle(): Promise<void> {
  const bundled = await rolldown({
    input: {
      'mock-provider/index': join(dist, 'mock-provider/index.js'),
      'mock-provider/msw': join(dist, 'mock-provider/msw.js'),
      'cli/provider-main': join(dist, 'cli/provider-main.js'),
    },
    platform: 'node',
    external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message)
    },
  })
  const names = { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' }
  const { output } = await bundled.write({ dir: out, format: 'esm', ...names })
  await bundled.close()
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  writeFileSync(join(out, 'THIRD-PARTY-LICENSES.txt'), licensesOf(modules))
}

/** What the licences of the libraries inside ask of whoever passes them on. */
function licensesOf(modules: readonly string[]): string {
  const folders = modules.flatMap(
    (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? [],
  )
  return [...new Set(folders)]
    .toSorted()
    .map((folder) => {
      const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name))
      const { name, license: its } = JSON.parse(
        readFileSync(join(folder, 'package.json'), 'utf8'),
      ) as { readonly name: string; readonly license: string }
      const text = file === undefined ? its : readFileSync(join(folder, file), 'utf8').trim()
      return `# ${name}\n\n${text}\n`
    })
    .join('\n')
}

function manifest(): object {
  const entry = (name: string) => ({
    types: `./mock-provider/${name}.d.ts`,
    default: `./mock-provider/${name}.js`,
  })
  return {
    name: 'agent-oauth-mock-provider',
    version,
    description: 'A strict mock OAuth 2.0 and OpenID provider that misbehaves on request',
    license,
    type: 'module',
    engines,
    bin: { 'agent-oauth-mock-provider': 'cli/provider-main.js', aoc: 'cli/provider-main.js' },
    exports: { '.': entry('index'), './msw': entry('msw'), './package.json': './package.json' },
    dependencies: versionsOf(needed),
    peerDependencies: versionsOf(optional),
    peerDependenciesMeta: Object.fromEntries(optional.map((name) => [name, { optional: true }])),
  }
}

function versionsOf(names: readonly string[]): Record<string, string | undefined> {
  return Object.fromEntries(names.map((name) => [name, whole.dependencies[name]]))
}
