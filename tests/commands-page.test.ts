/**
 * `docs/commands.md` is what `--help` says. To write it anew: npx vitest run tests/commands-page.test.ts -u
 */

import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { expect, test } from 'vitest'
import { runCli } from './run-cli.ts'

const page = fileURLToPath(new URL('../docs/commands.md', import.meta.url))

const head = `# Commands

What \`--help\` says; a test compares. Installed as a package the command is \`agent-oauth-conformance\`, or \`aoc\` for short; in a
clone it is \`node dist/cli/main.js\`.
`

test('docs/commands.md is up to date', async () => {
  const whole = await helpOf()
  const names = [...whole.matchAll(/^ {2}([a-z-]+) .*$/gm)].map(([, name = '']) => name)
  const commands = names.filter((name, index) => name !== 'help' && names.indexOf(name) === index)
  const [, list = ''] = /^Commands:\n([^]*?)\n\n/m.exec(whole) ?? []
  const listed = commands.filter((name) => new RegExp(`^ {2}${name} `, 'm').test(list))
  const sections = await Promise.all(listed.map(sectionOf))
  const text = [head, ...sections].join('\n')
  const options = await resolveConfig(page)
  await expect(await format(text, { ...options, parser: 'markdown' })).toMatchFileSnapshot(page)
})

async function sectionOf(name: string): Promise<string> {
  return `## aoc ${name}\n\n\`\`\`text\n${await helpOf(name)}\`\`\`\n`
}

async function helpOf(...command: readonly string[]): Promise<string> {
  const { stdout } = await runCli(
    [...command, '--help'],
    fileURLToPath(new URL('..', import.meta.url)),
  )
  return stdout
}
