/** The built command line, as somebody who has installed the package meets it. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { exitCodeTable } from '../cli/outcome/exit-codes.ts'
import { ownFolder, usable } from './own-folder.ts'

const packageFile = fileURLToPath(new URL('../package.json', import.meta.url))

const { path, aoc, write } = ownFolder()

describe('adapter check', () => {
  const check = (script: string) => aoc(['adapter', 'check', '--', process.execPath, '-e', script])

  test('an adapter that answers everything alike is told what is wrong', async () => {
    const settles = "JSON.stringify({ event: 'settled', id: JSON.parse(line).id }) + '\\n'"
    const script = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      process.stdout.write(${settles})
      if (line.includes('shutdown')) process.exit(0)
    })`
    const { code, stdout } = await check(script)
    expect(stdout).toContain('ok      it is started, and answers hello')
    expect(stdout).toContain('not ok  it answers an unknown command with unsupported')
    expect(code).toBe(1)
  })

  test('what is no adapter is said to be none', async () => {
    const { code, stdout } = await check("console.log('Listening')")
    expect(stdout).toContain('something that is not an event')
    expect(code).toBe(1)
  })
})

describe('help and version', () => {
  test('--help teaches: commands, examples, every exit code', async () => {
    const { code, stdout } = await aoc(['--help'])
    expect(code).toBe(0)
    for (const word of ['run', 'list', 'explain', 'init', 'Examples:', 'aoc run --config']) {
      expect(stdout).toContain(word)
    }
    for (const row of exitCodeTable) expect(stdout).toContain(`${row.code}`.padEnd(5) + row.meaning)
  })

  test.each([
    'run',
    'list',
    'explain',
    'init',
    'report',
    'judge',
    'compare',
    'merge',
    'certify',
    'verify',
    'keys',
    'provider',
    'adapter',
    'completion',
  ])('%s --help describes the command', async (command) => {
    const { code, stdout, stderr } = await aoc([command, '--help'])
    expect(stdout).toMatch(new RegExp(`^Usage: aoc ${command}`))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  test('--version is the version of the package', async () => {
    const { code, stdout, stderr } = await aoc(['--version'])
    const described: unknown = JSON.parse(readFileSync(packageFile, 'utf8'))
    expect(described).toMatchObject({ version: stdout.trim() })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  test.each([
    [[], /Usage: aoc/],
    [['rnu'], /unknown command 'rnu'[\s\S]*run/],
    [['rnu', '--help'], /unknown command 'rnu'[\s\S]*run/],
    [['help', 'rnu'], /unknown command 'rnu'[\s\S]*run/],
    [['run', '--fliter', 'x'], /unknown option '--fliter'[\s\S]*--filter/],
    [['list', 'everything'], /profiles, scenarios, requirements/],
    [['explain'], /missing required argument <requirement>: its id, or the last part of it/],
  ])('%j is a usage error', async (args, message) => {
    const { code, stdout, stderr } = await aoc(args)
    expect(stderr).toMatch(message)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  test('a hint names a command as this one was called, so that it can be typed', async () => {
    const { stderr } = await aoc(['explain', 'nowhere'])
    expect(stderr).toMatch(/^ {2}node \S+main\.js list requirements shows all$/m)
  })
})

describe('list and explain', () => {
  test('lists profiles, scenarios and requirements', async () => {
    const lists = await Promise.all(
      ['profiles', 'scenarios', 'requirements'].map((what) => aoc(['list', what])),
    )
    const expected = ['rap-oauth/tool ', 'authorize-and-complete ', 'rap-oauth/tool/echo-call-id ']
    for (const [index, { code, stdout }] of lists.entries()) {
      expect(code).toBe(0)
      expect(stdout).toContain(expected[index])
    }
  })

  test('lists as JSON, of one profile', async () => {
    const { stdout } = await aoc(['list', 'requirements', '--profile', 'rap-oauth/tool', '--json'])
    const rows: unknown = JSON.parse(stdout)
    const row = { id: 'oauth-client/pkce-s256', profile: 'rap-oauth/tool', keyword: 'SHOULD' }
    expect(rows).toContainEqual(expect.objectContaining(row))
  })

  test('an unknown profile is refused with the known ones', async () => {
    const { code, stderr } = await aoc(['list', 'scenarios', '--profile', 'rap-oauth/tol'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/unknown profile "rap-oauth\/tol", expected one of: rap-oauth\/tool/)
  })

  test.each(['rap-oauth/tool/echo-call-id', 'echo-call-id'])('explains %s', async (id) => {
    const { code, stdout } = await aoc(['explain', id])
    expect(code).toBe(0)
    for (const part of [
      'MUST: a violation fails the run',
      'RAP OAuth, Fields',
      'observed',
      'judged in',
    ]) {
      expect(stdout).toContain(part)
    }
    expect(stdout).toContain('authorize-and-complete')
  })

  test('explains what several profiles share by the last part of its id, too', async () => {
    const [whole, last] = await Promise.all([
      aoc(['explain', 'oauth-client/validate-state']),
      aoc(['explain', 'validate-state']),
    ])
    expect(last).toEqual(whole)
    expect(whole.stdout).toContain('oauth-client/validate-state')
  })

  test('explains what several profiles judge as one of them does, and names the others', async () => {
    const other = 'mcp-delegated-authorization/server'
    const [first, asked] = await Promise.all([
      aoc(['explain', 'oauth-client/report-denial']),
      aoc(['explain', 'oauth-client/report-denial', '--profile', other]),
    ])
    expect(first.stdout.replaceAll(/\s+/g, ' ')).toContain(`also ${other} (--profile)`)
    expect(asked.stdout).toMatch(/profile +mcp-delegated-authorization\/server;/)
    const { code, stderr } = await aoc(['explain', 'echo-id', '--profile', other])
    expect(code).toBe(2)
    expect(stderr).toContain('unknown requirement "echo-id"')
  })

  test('explains as JSON, and why an excluded requirement is not judged', async () => {
    const json = await aoc(['explain', 'echo-id', '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({ id: 'rap-oauth/tool/echo-id', keyword: 'MUST' })
    const { stdout } = await aoc(['explain', 'exchange-securely'])
    expect(stdout).toContain('not judged')
  })

  test('suggests what may have been meant', async () => {
    const { code, stdout, stderr } = await aoc(['explain', 'echo-cal-id'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('did you mean rap-oauth/tool/echo-call-id')
  })
})

test('bash completes commands, options and profiles', async () => {
  const { code, stdout } = await aoc(['completion', 'bash'])
  expect(code).toBe(0)
  const program = join(path(), 'aoc')
  writeFileSync(
    program,
    `#!/bin/sh
case "$1" in list) echo "rap-oauth/tool   RAP";; run) echo " --config <file> --filter";; esac
`,
    { mode: 0o755 },
  )
  const completed = (...words: readonly string[]): string =>
    execFileSync('bash', [
      '-c',
      `${stdout}COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _aoc; echo "\${COMPREPLY[*]}"`,
      'bash',
      program,
      ...words,
    ])
      .toString()
      .trim()
  expect(completed('comple')).toBe('completion')
  expect(completed('run', '--fi')).toBe('--filter')
  expect(completed('run', '--profile', 'rap')).toBe('rap-oauth/tool')
})

describe('run', () => {
  test('a filter that matches nothing suggests what does', async () => {
    const { code, stderr } = await aoc(['run', '--filter', 'echo-cal-id'])
    expect(code).toBe(2)
    expect(stderr).toContain('did you mean rap-oauth/tool/echo-call-id')
  })

  test('a folder that another run holds is refused', async () => {
    mkdirSync(join(path(), 'out'))
    const host = (await import('node:os')).hostname()
    write('out/.aoc-run.lock', { pid: process.pid, host, id: 'x' })
    const { code, stderr } = await aoc(['run', '--output', 'out'])
    expect(code).toBe(2)
    expect(stderr).toContain(`another run (process ${process.pid}) is writing to out`)
  })

  test('what cannot be started is inconclusive, with its last words and all files', async () => {
    const config = write('c.json', {
      profile: 'rap-oauth/tool',
      target: {
        command: [process.execPath, '-e', 'console.error("no database"); process.exit(3)'],
      },
    })
    const { code, stdout, stderr } = await aoc(['run', '--config', config, '--output', 'out'])
    expect(stdout).toContain('INCONCLUSIVE')
    expect(stdout).toContain('no database')
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' })
    const record: unknown = JSON.parse(readFileSync(join(path(), 'out/results.json'), 'utf8'))
    expect(record).toMatchObject({ counts: { pass: 0 }, exit: { code: 3 } })
    expect(readFileSync(join(path(), 'out/junit.xml'), 'utf8')).toContain('<testsuites')
  })

  test('--json prints the record and nothing else to standard output', async () => {
    const config = write('c.json', { ...usable, target: { command: ['/no/such/program'] } })
    const { code, stdout, stderr } = await aoc([
      'run',
      '--config',
      config,
      '--output',
      'out',
      '--json',
    ])
    expect(code).toBe(3)
    expect(stdout).toBe(readFileSync(join(path(), 'out/results.json'), 'utf8'))
    expect(stderr).toContain('INCONCLUSIVE')
    expect(stdout).not.toContain('\u001b')
  })
})
