/**
 * Prepares a release: `npm run release -- VERSION [--dry-run]`. Looks whether the version may be released, checks, tests,
 * builds and packs it, and prints what is left to do by hand. Tags, pushes and publishes nothing.
 */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

/** Where the version stands, as the only group of a pattern. */
const versionPlaces: readonly (readonly [file: string, pattern: RegExp])[] = [
  ['package.json', /^ {2}"version": "([^"]+)"/m],
  ['package-lock.json', /^ {2}"version": "([^"]+)"/m],
  ['package-lock.json', /^ {6}"version": "([^"]+)"/m],
  ['README.md', /agent-oauth-conformance-(\d\S+)\.tgz/],
  ['docs/ci/github-workflow.yml', /agent-oauth-conformance@v(\S+)/],
  ['docs/ci/github-workflow.yml', /--package=agent-oauth-conformance@(\S+)/],
  ['docs/examples/vitest/package.json', /"agent-oauth-conformance": "\^([^"]+)"/],
]

const steps = [['run', 'check'], ['test'], ['run', 'build'], ['run', 'build:provider']]
/** The whole, and the provider alone (docs/decisions/0030). */
const packages = ['.', './dist-provider']

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Output of a command. @throws Error with what it said when it fails */
function output(command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status === 0) return stdout.trimEnd()
  throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr.trim()}`)
}

/** What the changelog says of a version; `undefined` where it has no dated section. */
function changes(version: string): string | undefined {
  const sections = read('CHANGELOG.md').split(/^## /m)
  const section = sections.find((each) => each.startsWith(`[${version}] - `))
  if (!section || !/^\[\S+\] - \d{4}-\d{2}-\d{2}\n/.test(section)) return undefined
  return section.slice(section.indexOf('\n')).trim()
}

/** The repository's address stands in package.json; the workflow, which cannot read it, has to name the same. */
function addressProblems(): string[] {
  const { repository } = JSON.parse(read('package.json') || '{}') as {
    readonly repository?: unknown
  }
  const address = typeof repository === 'string' ? repository.replace(/^github:/, '') : undefined
  if (address === undefined) return ['package.json has no "repository": "github:OWNER/NAME"']
  const used = /uses: (\S+)@v/.exec(read('docs/ci/github-workflow.yml'))?.[1]
  return used === address
    ? []
    : [`docs/ci/github-workflow.yml uses ${used ?? 'nothing'}, not ${address}`]
}

/** Why this version must not be released from this folder; empty when it may. */
function problemsOf(version: string): string[] {
  const problems: string[] = []
  const uncommitted = output('git', 'status', '--porcelain')
  if (uncommitted !== '') problems.push(`the tree is not clean:\n${uncommitted}`)
  if (output('git', 'tag', '--list', `v${version}`) !== '') {
    problems.push(`the tag v${version} exists already`)
  }
  const section = changes(version)
  if (section === undefined) {
    problems.push(`CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD"`)
  } else if (section === '') problems.push(`CHANGELOG.md says nothing about ${version}`)
  problems.push(...addressProblems())
  for (const [file, pattern] of versionPlaces) {
    const found = pattern.exec(read(file))?.[1]
    if (found !== version) problems.push(`${file} has the version ${found ?? '(none)'}`)
  }
  return problems
}

interface Packed {
  readonly filename: string
  readonly size: number
  readonly integrity: string
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

function pack(folder: string): Packed {
  const args = ['pack', folder, '--ignore-scripts', '--json']
  const [packed] = JSON.parse(output('npm', ...args)) as Packed[]
  if (!packed) throw new Error('npm pack made nothing')
  return packed
}

function release(version: string, dryRun: boolean): void {
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version)) {
    throw new Error('usage: npm run release -- VERSION [--dry-run]')
  }
  const problems = problemsOf(version)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  if (dryRun) {
    const planned = [...steps, ...packages.map((folder) => ['pack', folder])].map(
      (args) => `npm ${args.join(' ')}`,
    )
    console.log(`${version} can be released. Without --dry-run:\n  ${planned.join('\n  ')}`)
    return
  }
  for (const args of steps) {
    const { status } = spawnSync('npm', args, { stdio: 'inherit' })
    if (status !== 0) throw new Error(`npm ${args.join(' ')} failed`)
  }
  const left = output('git', 'status', '--porcelain')
  if (left !== '') throw new Error(`checks and tests changed the tree:\n${left}`)
  const packed = packages.map(pack)
  for (const { filename, size, integrity, files } of packed) {
    for (const file of files) console.log(`${String(file.size).padStart(9)}  ${file.path}`)
    console.log(`${filename}: ${files.length} files, ${size} bytes, ${integrity}`)
  }
  console.log(`To release it, once all of .ci/run has passed for this commit:
  git tag --annotate v${version} --message ${version} ${output('git', 'rev-parse', 'HEAD')}
  git push origin v${version}
${packed.map(({ filename }) => `  npm publish ./${filename}`).join('\n')}`)
}

try {
  const options = { 'dry-run': { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  release(positionals.length === 1 ? String(positionals[0]) : '', values['dry-run'] ?? false)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
