/** `npm run release` in a repository of its own, whose checks and tests are one line each. */

import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { scratch } from './run-cli.ts'

const script = fileURLToPath(new URL('../scripts/release.ts', import.meta.url))
const loader = import.meta.resolve('jiti/register')

const say = (word: string) => `node -e "fs.appendFileSync('../log','${word} ')"`
const manifest = {
  name: 'released',
  version: '1.2.3',
  repository: 'github:OWNER/agent-oauth-conformance',
  files: ['dist'],
  scripts: {
    check: say('check'),
    test: say('test'),
    build: `${say('build')} && node -e "fs.mkdirSync('dist');fs.writeFileSync('dist/a.js','')"`,
    'build:provider': `${say('provider')} && node -e "fs.mkdirSync('dist-provider');fs.writeFileSync('dist-provider/package.json',JSON.stringify({name:'alone',version:'1.2.3'}))"`,
  },
}
const workflow = (version: string) =>
  `uses: OWNER/agent-oauth-conformance@v${version}\nrun: npx --package=agent-oauth-conformance@${version} aoc\n`
const files = {
  '.gitignore': 'dist\ndist-provider\n*.tgz\n',
  'package.json': manifest,
  'package-lock.json': { version: '1.2.3', packages: { '': { version: '1.2.3' } } },
  'README.md': 'npm install ./agent-oauth-conformance-1.2.3.tgz\n',
  'docs/ci/github-workflow.yml': workflow('1.2.3'),
  'docs/examples/vitest/package.json': {
    devDependencies: { 'agent-oauth-conformance': '^1.2.3' },
  },
  'CHANGELOG.md': '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-11-22\n\n- Something.\n',
}

/** A repository that can be released, but for what is replaced. */
function repository(replaced: Readonly<Record<string, unknown>> = {}) {
  const root = join(scratch(), 'repository')
  for (const [name, content] of Object.entries({ ...files, ...replaced })) {
    const file = join(root, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
  git(root, 'init', '--quiet')
  git(root, 'add', '--all')
  git(root, 'commit', '--quiet', '--message', 'all')
  return root
}

function git(cwd: string, ...args: string[]) {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']
  const { status, stdout, stderr } = spawnSync('git', [...who, ...args], { cwd, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  return stdout.trim()
}

function release(cwd: string, ...args: string[]) {
  const run = ['--import', loader, script, ...args]
  return spawnSync(process.execPath, run, { cwd, encoding: 'utf8' })
}

test('checks, tests, builds, packs, and says what is left to do', () => {
  const root = repository()
  const { status, stdout, stderr } = release(root, '1.2.3')
  expect(status, stderr).toBe(0)
  expect(stdout).toMatch(/^ +0 {2}dist\/a\.js$/m)
  expect(stdout).toMatch(/^released-1\.2\.3\.tgz: 3 files, \d+ bytes, sha512-/m)
  expect(stdout).toContain(`--message 1.2.3 ${git(root, 'rev-parse', 'HEAD')}\n`)
  expect(stdout).toContain('npm publish ./released-1.2.3.tgz\n  npm publish ./alone-1.2.3.tgz')
  expect(existsSync(join(root, 'released-1.2.3.tgz'))).toBe(true)
  expect(readFileSync(join(root, '../log'), 'utf8')).toBe('check test build provider ')
  expect(git(root, 'tag')).toBe('')
})

test('a dry run looks, and runs nothing', () => {
  const root = repository()
  const { status, stdout } = release(root, '1.2.3', '--dry-run')
  expect([status, stdout]).toEqual([0, expect.stringContaining('1.2.3 can be released')])
  expect(existsSync(join(root, '../log'))).toBe(false)
  expect(existsSync(join(root, 'released-1.2.3.tgz'))).toBe(false)
})

test.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['no section', { 'CHANGELOG.md': '## [1.2.30] - 2026-11-22\n\n- A\n' }, 'has no section'],
  ['no date', { 'CHANGELOG.md': '## [1.2.3] - soon\n\n- A\n' }, 'has no section'],
  ['an empty section', { 'CHANGELOG.md': '## [1.2.3] - 2026-11-22\n' }, 'says nothing about 1.2.3'],
  [
    'another version',
    { 'package.json': { ...manifest, version: '1.2.2' } },
    'package.json has the version 1.2.2',
  ],
  [
    'no address',
    { 'package.json': { ...manifest, repository: undefined } },
    'package.json has no "repository"',
  ],
  [
    'another address',
    { 'package.json': { ...manifest, repository: 'github:acme/agent-oauth-conformance' } },
    'uses OWNER/agent-oauth-conformance, not acme/agent-oauth-conformance',
  ],
  [
    'an old lock file',
    { 'package-lock.json': { version: '1.2.3', packages: { '': { version: '1.2.2' } } } },
    'package-lock.json has the version 1.2.2',
  ],
  [
    'an old example',
    { 'docs/ci/github-workflow.yml': workflow('1.2.2') },
    'github-workflow.yml has the version 1.2.2',
  ],
])('nothing is released with %s', (_, replaced, complaint) => {
  const root = repository(replaced)
  const { status, stderr } = release(root, '1.2.3')
  expect([status, stderr]).toEqual([1, expect.stringContaining(complaint)])
  expect(existsSync(join(root, '../log'))).toBe(false)
})

test('nothing is released from a tree that is not clean, nor twice; both are said at once', () => {
  const root = repository()
  git(root, 'tag', 'v1.2.3')
  appendFileSync(join(root, 'CHANGELOG.md'), '- More.\n')
  const { status, stderr } = release(root, '1.2.3', '--dry-run')
  expect(status).toBe(1)
  expect(stderr).toContain('the tree is not clean:\n M CHANGELOG.md')
  expect(stderr).toContain('the tag v1.2.3 exists already')
})

test.each(['check', 'test', 'build'])('nothing is packed when %s fails', (name) => {
  const scripts = { ...manifest.scripts, [name]: 'exit 3' }
  const root = repository({ 'package.json': { ...manifest, scripts } })
  const { status, stderr } = release(root, '1.2.3')
  expect([status, stderr]).toEqual([1, expect.stringMatching(`npm (run )?${name} failed`)])
  expect(existsSync(join(root, 'released-1.2.3.tgz'))).toBe(false)
})

test('nothing is packed when tests leave something behind', () => {
  const scripts = { ...manifest.scripts, test: `node -e "fs.writeFileSync('left','')"` }
  const root = repository({ 'package.json': { ...manifest, scripts } })
  const { status, stderr } = release(root, '1.2.3')
  expect([status, stderr]).toEqual([1, expect.stringContaining('changed the tree:\n?? left')])
})

test.each(['', 'v1.2.3', '1.2', '1.2.3 1.2.4'])('usage: "%s"', (words) => {
  const args = words.split(' ').filter((word) => word !== '')
  const { status, stderr } = release(repository(), ...args)
  expect([status, stderr]).toEqual([1, expect.stringContaining('usage:')])
})
