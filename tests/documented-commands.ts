/** The shell commands of the documentation, as a reader would type them, and a folder to type them in. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scratch } from './run-cli.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

/** A block of commands on a page. */
export interface Block {
  /** The page and which block of it, from 1: `docs/ci.md 1`. */
  readonly name: string
  readonly script: string
  /** The configuration that stands last before it on the page. */
  readonly configuration: string | undefined
}

/** Pages of the repository, as they are now. */
export function pagesOf(): readonly string[] {
  return execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], { cwd: root })
    .toString()
    .trim()
    .split('\n')
    .filter((page) => existsSync(join(root, page)))
}

/** All blocks that readers of README and docs/ are to type. */
export function documentedBlocks(): readonly Block[] {
  return pagesOf()
    .filter((page) => page === 'README.md' || page.startsWith('docs/'))
    .flatMap((page) => blocksOf(page, readFileSync(join(root, page), 'utf8')))
}

function blocksOf(page: string, text: string): readonly Block[] {
  const blocks: Block[] = []
  let configuration: string | undefined
  for (const [, language, content = ''] of text.matchAll(/^```(\w+)\n([^]*?)^```/gm)) {
    if (language === 'json' && content.includes('"profile"')) configuration = content
    if (language === 'sh') {
      blocks.push({ name: `${page} ${blocks.length + 1}`, script: content, configuration })
    }
  }
  return blocks
}

/** The commands of a block one by one, without what is said about them. */
export function statementsOf({ script }: Block): readonly string[] {
  return script
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/\s+#\s.*$/, ''))
    .filter((line) => line.trim() !== '')
}

/** An empty project in which the package is installed; `programs` stand in for what must not run here. */
export function projectWithPackage(programs: readonly string[] = []) {
  const folder = scratch()
  const bin = join(folder, 'node_modules/.bin')
  mkdirSync(bin, { recursive: true })
  const own = `exec "${process.execPath}" "${join(root, 'dist/cli/main.js')}" "$@"`
  writeFileSync(join(bin, 'aoc'), `#!/bin/sh\n${own}\n`, { mode: 0o755 })
  for (const name of programs) symlinkSync('/bin/true', join(bin, name))
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  return { folder, env: { PATH: `${bin}:${process.env['PATH']}`, NO_COLOR: '1', BROWSER: 'true' } }
}
