/** Installs the software of a recipe from its registry, into a cache outside the repository. */

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, relative } from 'node:path'
import type { Recipe } from './recipe.ts'

/** Where the software of all recipes is kept, as the XDG Base Directory Specification has it. */
export function cacheFolder({ XDG_CACHE_HOME: cache } = process.env): string {
  return join(cache ?? join(homedir(), '.cache'), 'agent-oauth-conformance', 'implementations')
}

/** The lines that install a recipe, as somebody would type them in its folder. */
export function installLines({ install }: Recipe): readonly (readonly string[])[] {
  if ('npm' in install) {
    return [['npm', 'install', '--no-audit', '--no-fund', '--no-save', ...install.npm]]
  }
  if ('go' in install) {
    return [
      ['go', 'mod', 'init', 'recipe'],
      ['go', 'get', ...install.go],
    ]
  }
  if ('cargo' in install) return [['cargo', 'fetch']]
  const pip = ['venv/bin/pip', '--disable-pip-version-check', '--quiet']
  return [
    ['python3', '-m', 'venv', 'venv'],
    [...pip, 'install', ...install.pypi],
    ...(install.source === undefined ? [] : sourceLines(pip, install.source, install.pypi)),
  ]
}

/** The lines that build the programs of a recipe: they are carried out each time, and their tools leave what is built. */
export function buildLines({ install }: Recipe): readonly (readonly string[])[] {
  if ('go' in install) return [['go', 'build', '-o', 'bin/', './...']]
  return 'cargo' in install ? [['cargo', 'build', '--quiet']] : []
}

/** Examples are in the source distribution alone; what builds it has to be there to have it. */
function sourceLines(
  pip: readonly string[],
  builders: string,
  [software = '']: readonly string[],
): readonly (readonly string[])[] {
  const name = software.replace(/[[=].*/, '')
  return [
    [...pip, 'install', ...builders.split(' ')],
    [...pip, 'download', '--no-deps', '--no-build-isolation', '--no-binary', name, software],
    ['tar', 'xzf', `${software.replace('==', '-')}.tar.gz`],
  ]
}

/** What somebody who went through the lines by hand has in the recipe's folder. */
const built = /^(?:bin|target)$|(?:^|\/)(?:venv|node_modules|__pycache__)$/

/**
 * The folder in the cache in which the recipe was installed, with the recipe's own files in it. What is there already, in the
 * same versions, is not installed again. @throws Error with what the package manager said
 */
export function installed(recipe: Recipe): string {
  const folder = join(cacheFolder(), recipe.name)
  const marker = join(folder, '.installed.json')
  const wanted = JSON.stringify(recipe.install)
  const isThere = existsSync(marker) && readFileSync(marker, 'utf8') === wanted
  if (!isThere) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  }
  const own = (path: string) => !built.test(relative(recipe.folder, path))
  cpSync(recipe.folder, folder, { recursive: true, filter: own })
  if (!isThere) {
    for (const line of installLines(recipe)) runLine(line, folder)
    writeFileSync(marker, wanted)
  }
  for (const line of buildLines(recipe)) runLine(line, folder)
  return folder
}

function runLine([command = '', ...args]: readonly string[], cwd: string): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status === 0) return
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') {
    throw new Error(`${command} is not installed here`)
  }
  const said = error?.message ?? `${stdout}${stderr}`.trim().split('\n').slice(-5).join('\n')
  throw new Error(`${command} ${args.join(' ')}: ${said}`)
}
