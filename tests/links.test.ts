/** What the documentation points at is there: files, headings, commands and their options. */

import { existsSync, readFileSync, statSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runCli } from './run-cli.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const pages = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], { cwd: root })
  .toString()
  .trim()
  .split('\n')
  .filter((page) => existsSync(join(root, page)))

test.each(pages)('%s: every link of the repository leads somewhere', (page) => {
  expect(linksIn(read(page)).filter((link) => !leads(page, link))).toEqual([])
})

test('what is packed links to nothing that is not', () => {
  const args = ['pack', '--dry-run', '--ignore-scripts', '--json']
  const listed = execFileSync('npm', args, {
    cwd: root,
    maxBuffer: 16 * 1024 * 1024,
    stdio: 'pipe',
  })
  const [packed] = JSON.parse(listed.toString()) as { files: { path: string }[] }[]
  const files = packed?.files.map(({ path }) => path) ?? []
  const has = (path: string) => files.some((file) => file === path || file.startsWith(`${path}/`))
  const missing = files
    .filter((file) => file.endsWith('.md') && !file.startsWith('dist/'))
    .flatMap((page) => linksIn(read(page)).map((link) => [page, link.split('#')[0] ?? ''] as const))
    .filter(
      ([page, link]) => link !== '' && !has(relative(root, resolve(root, dirname(page), link))),
    )
  expect(missing).toEqual([])
})

test('every message that troubleshooting explains is one that is printed', () => {
  const sources = execFileSync('git', ['ls-files', '*.ts'], { cwd: root })
    .toString()
    .split('\n')
    .filter((file) => /^(cli|harness|reports|suites)\//.test(file) && !file.endsWith('.test.ts'))
    .map((file) => read(file))
  const explained = [...read('docs/troubleshooting.md').matchAll(/^\| (`.*?) +\|/gm)]
    .flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, words = '']) => words))
    // One word, or words of OpenSSL, are whatever the implementation says.
    .filter((words) => words.split(' ').length > 2 && words !== 'unable to verify')
  expect(explained.length).toBeGreaterThan(5)
  expect(explained.filter((words) => !sources.some((text) => text.includes(words)))).toEqual([])
})

test('a link that leads nowhere is noticed', () => {
  expect(leads('README.md', 'docs/nowhere.md')).toBe(false)
  expect(leads('README.md', 'docs/adapters.md#nowhere')).toBe(false)
  expect(linksIn('[a](b.md#c), `[x](y)` and [d](https://e.example)')).toEqual(['b.md#c'])
})

const options = new Map<string, Promise<string>>()
const commands = pages
  .filter((page) => page === 'README.md' || page.startsWith('docs/'))
  .flatMap((page) => commandsIn(read(page)).map((command) => [page, command] as const))

test.each(commands)('%s: %s is a command with these options', async (_, command) => {
  const words = command.split(/\s+/).slice(1)
  const named = words.filter((word) => /^[a-z-]+$/.test(word)).slice(0, 2)
  const [first = '', second = ''] = named
  const flags = words.flatMap((word) => /^--[a-z-]+/.exec(word)?.[0] ?? [])
  const help = (await helpOf(first)) + (await helpOf(first, second))
  expect(help).toContain(`Usage: aoc ${first}`)
  expect(flags.filter((flag) => !help.includes(flag))).toEqual([])
})

/** Of a command, or of one below it; a word that is none leads to the help of what stands before it. */
function helpOf(...names: readonly string[]): Promise<string> {
  const asked = names.filter((name) => name !== '')
  const key = asked.join(' ')
  const help = options.get(key) ?? runCli([...asked, '--help'], root).then(({ stdout }) => stdout)
  options.set(key, help)
  return help
}

function read(page: string): string {
  return readFileSync(join(root, page), 'utf8')
}

/** Links to places of this repository; code is no link. */
function linksIn(text: string): readonly string[] {
  const prose = text.replaceAll(/^```[^]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
}

function leads(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const file = path === '' ? join(root, page) : resolve(root, dirname(page), path)
  if (!existsSync(file)) return false
  if (anchor === undefined) return true
  return statSync(file).isFile() && anchorsOf(readFileSync(file, 'utf8')).includes(anchor)
}

/** As GitHub makes them of headings. */
function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** What readers are to type, each on one line, and what is named in a sentence. */
function commandsIn(text: string): readonly string[] {
  return [...text.matchAll(/^```sh\n([^]*?)^```/gm)]
    .flatMap(([, block = '']) => block.replaceAll(/\\\n\s*/g, '').split('\n'))
    .concat(
      [...text.matchAll(/`((?:npx )?aoc [^`]+)`/g)].map(([, code = '']) =>
        code.replaceAll('\n', ' '),
      ),
    )
    .map((line) => line.replace(/^npx /, '').replace(/ #.*$/, '').trim())
    .filter((line) => line.startsWith('aoc '))
}
