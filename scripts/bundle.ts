/**
 * Puts the programs of `dist/` into few files, together with the libraries that they load: each module in a file of its
 * own costs at every start, and a certification starts some twenty programs (docs/decisions/0016). What others import
 * stays as it was compiled.
 */

import { readdirSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown, type Plugin } from 'rolldown'

const dist = fileURLToPath(new URL('../dist', import.meta.url))

/** These read files of their own at run time, or are to be the ones that the user installed. */
const readsFiles = ['jiti', 'jiti/register', 'node-sqlite3-wasm']
const usersOwn = ['msw', 'vitest']
/** The command line loads them in few cases only. */
const seldom = ['@modelcontextprotocol/server', '@redis/client']

await bundle([join(dist, 'cli/main.js')], [...readsFiles, ...usersOwn, ...seldom])
for (const reference of referencesIn(join(dist, 'suites'))) {
  await bundle(
    ['main.js', 'varied.js'].map((name) => join(reference, name)),
    readsFiles,
  )
}

/** Puts bundles in the place of programs of one folder; their modules stay beside them, since others import some. */
async function bundle(input: string[], external: readonly string[]): Promise<void> {
  const home = dirname(input[0]!)
  const bundled = await rolldown({
    input,
    platform: 'node',
    external: [...external],
    plugins: [keepsItsPlace(home)],
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message)
    },
  })
  await bundled.write({
    dir: home,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunk-[name]-[hash].js',
    comments: false,
    // What every command needs, and what every one that knows a profile needs, in one file each instead of thirty.
    codeSplitting: {
      groups: [
        { name: 'start', test: /cli\/(run-command-line|commands\/conformance)\.js$/, priority: 1 },
        { name: 'profiles', test: /suites\/registry\.js$/ },
      ],
    },
  })
  await bundled.close()
}

/** A module of ours finds what lies beside it as if it still stood where it was. */
function keepsItsPlace(home: string): Plugin {
  return {
    name: 'keeps-its-place',
    transform(code, id) {
      if (!id.startsWith(dist) || !code.includes('import.meta.url')) return null
      const place = JSON.stringify(relative(home, id))
      return code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`)
    },
  }
}

function referencesIn(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name === 'main.js' && basename(entry.parentPath) === 'reference')
    .map((entry) => entry.parentPath)
}
