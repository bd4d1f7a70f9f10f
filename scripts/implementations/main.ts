/**
 * `npm run implementations [-- NAME...]`: installs public software by the recipes in `implementations/`, certifies it, and
 * writes `docs/implementations/`. Exit code 1 where a finding was not read yet, or a recipe could not be carried out.
 */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { readResults } from '../../reports/index.ts'
import { installed, cacheFolder } from './install.ts'
import { gridPage, implementationPage, type Certified } from './pages.ts'
import { readRecipes, type Recipe } from './recipe.ts'
import { unread, type RecipeRun } from './unread.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = join(root, 'docs/implementations')
const cli = join(root, 'dist/cli/main.js')
const named = process.argv.slice(2)
const recipes = readRecipes()
const unknown = named.filter((name) => !recipes.some((recipe) => recipe.name === name))
if (unknown.length > 0) {
  process.stderr.write(
    `no recipe ${unknown.join(', ')}; there are ${recipes.map(({ name }) => name).join(', ')}\n`,
  )
  process.exit(2)
}

const problems: string[] = []
const all: Certified[] = []
for (const recipe of recipes) {
  const chosen = named.length === 0 || named.includes(recipe.name)
  const runs = chosen && recipe.unable === undefined ? certify(recipe) : stored(recipe)
  all.push({ recipe, runs })
  if (runs.length > 0) problems.push(...unread(recipe, runs))
}
await write()
for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1

function certify(recipe: Recipe): RecipeRun[] {
  try {
    const folder = timed(`${recipe.name}: installed`, () => installed(recipe))
    return recipe.configurations.map((configuration) =>
      timed(`${recipe.name}: certified with ${configuration}`, () =>
        certifyWith(folder, configuration),
      ),
    )
  } catch (error) {
    problems.push(`${recipe.name}: ${error instanceof Error ? error.message : String(error)}`)
    return []
  }
}

/** Says what was done, and how long it took. */
function timed<T>(what: string, work: () => T): T {
  const start = performance.now()
  const done = work()
  process.stdout.write(`${what} in ${Math.round((performance.now() - start) / 1000)} s\n`)
  return done
}

function certifyWith(folder: string, configuration: string): RecipeRun {
  const output = resultsIn(folder, configuration)
  rmSync(output, { recursive: true, force: true })
  const args = [cli, 'run', '--config', configuration, '--output', output]
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  if (!existsSync(join(output, 'results.json'))) {
    throw new Error(`${configuration}: aoc run ended with ${status ?? 'a signal'}: ${stderr}`)
  }
  return { configuration, record: readResults(join(output, 'results.json')) }
}

/** What a former certification left in the cache. */
function stored(recipe: Recipe): RecipeRun[] {
  const folder = join(cacheFolder(), recipe.name)
  return recipe.configurations
    .map((configuration) => ({
      configuration,
      file: join(resultsIn(folder, configuration), 'results.json'),
    }))
    .filter(({ file }) => existsSync(file))
    .map(({ configuration, file }) => ({ configuration, record: readResults(file) }))
}

function resultsIn(folder: string, configuration: string): string {
  return join(folder, 'results', configuration.replace(/\.json$/, ''))
}

/** A page each, and the grid once all are there; what was not certified on this machine keeps the page that it has. */
async function write(): Promise<void> {
  mkdirSync(pages, { recursive: true })
  for (const each of all) {
    const name = `${each.recipe.name}.md`
    if (each.runs.length > 0 || !existsSync(join(pages, name))) {
      await writePage(name, implementationPage(each))
    }
  }
  const missing = all.filter(({ recipe, runs }) => recipe.unable === undefined && runs.length === 0)
  if (missing.length === 0) return writePage('README.md', gridPage(all))
  const names = missing.map(({ recipe }) => recipe.name).join(', ')
  process.stdout.write(`the grid stays as it is: nothing is stored here of ${names}\n`)
}

async function writePage(name: string, text: string): Promise<void> {
  const file = join(pages, name)
  const options = await resolveConfig(file)
  const formatted = await format(text, { ...options, filepath: file })
  if (!existsSync(file) || readFileSync(file, 'utf8') !== formatted) writeFileSync(file, formatted)
}
