/** The GitHub action and the examples for pipelines: no value reaches a shell as text, and the steps do what they say. */

import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { recordOf } from '../reports/testing.ts'
import { scratch } from './run-cli.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const main = join(root, 'dist/cli/main.js')
const action = readFileSync(join(root, 'action.yml'), 'utf8')

/** The shell text of every step: after `run:`, or `args:` and `script:` items, as far as it is indented. */
function scriptsIn(yaml: string): string[] {
  const lines = yaml.split('\n')
  return lines.flatMap((line, index) => {
    const [, indent = '', rest] = /^(\s*(?:- )?)(?:run: |- )(.*)$/.exec(line) ?? []
    if (rest === undefined) return []
    if (rest !== '|') return line.includes('run: ') ? [rest] : []
    const block: string[] = []
    for (const next of lines.slice(index + 1)) {
      if (next.trim() !== '' && next.length - next.trimStart().length <= indent.length) break
      block.push(next)
    }
    const depth = Math.min(
      ...block.filter((each) => each.trim()).map((each) => each.length - each.trimStart().length),
    )
    return [block.map((each) => each.slice(depth)).join('\n')]
  })
}

const files = ['action.yml', ...readdirSync(join(root, 'docs/ci')).map((name) => `docs/ci/${name}`)]

describe.each(files)('%s', (file) => {
  const scripts = scriptsIn(readFileSync(join(root, file), 'utf8'))

  test('has shell text that bash accepts, without a value filled in', () => {
    expect(scripts.length).toBeGreaterThan(0)
    for (const script of scripts) {
      expect(script).not.toContain('${{')
      expect(spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' }).stderr).toBe('')
    }
  })
})

test('every input reaches the action by a variable, and every step says its shell', () => {
  const inputs = [...action.matchAll(/^ {2}([\w-]+):\n {4}description/gm)].map(([, name]) => name)
  const declared = inputs.filter((name) => action.includes(`\${{ inputs.${name} }}`))
  expect(declared).toEqual(['config', 'baseline', 'shard', 'strict', 'output', 'package'])
  expect(action.match(/^\s+run: \|/gm)).toHaveLength(2)
  expect(action.match(/^\s+shell: bash$/gm)).toHaveLength(2)
  for (const [line] of action.matchAll(/^.*\$\{\{.*$/gm)) {
    expect(line).toMatch(/^\s+(AOC_[A-Z]+|value): \$\{\{ [\w.-]+ \}\}$/)
  }
})

interface Step {
  readonly code: number | null
  readonly stdout: string
  readonly output: string
  readonly summary: string
  readonly asked: string[]
  readonly folder: string
}

/** Runs the second step with an `aoc` that writes down how it was called and leaves these results. */
function runStep(
  env: Readonly<Record<string, string>>,
  exitCode: number,
  withResults = true,
): Step {
  const folder = scratch()
  const bin = join(folder, 'aoc/node_modules/.bin')
  mkdirSync(bin, { recursive: true })
  const results = join(folder, 'stored')
  mkdirSync(results)
  writeFileSync(join(results, 'results.json'), JSON.stringify(recordOf([])))
  const fake = `#!/usr/bin/env node
import { appendFileSync, cpSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
const args = process.argv.slice(2)
appendFileSync(${JSON.stringify(join(folder, 'asked'))}, JSON.stringify(args) + '\\n')
if (args[0] !== 'run') process.exit(spawnSync(process.execPath, [${JSON.stringify(main)}, ...args], { stdio: 'inherit' }).status)
console.log('::error::from the implementation')
if (${withResults}) cpSync(${JSON.stringify(results)}, args.find((each) => each.startsWith('--output=')).slice(9), { recursive: true })
process.exit(${exitCode})
`
  writeFileSync(join(bin, 'aoc'), fake)
  writeFileSync(join(bin, 'package.json'), '{"type":"module"}')
  chmodSync(join(bin, 'aoc'), 0o755)
  const [, script = ''] = scriptsIn(action)
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', script],
    {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        RUNNER_TEMP: folder,
        GITHUB_OUTPUT: join(folder, 'output'),
        GITHUB_STEP_SUMMARY: join(folder, 'summary'),
        AOC_CONFIG: '',
        AOC_BASELINE: '',
        AOC_SHARD: '',
        AOC_STRICT: 'false',
        AOC_OUTPUT: 'results',
        ...env,
      },
    },
  )
  const read = (name: string): string => {
    const file = join(folder, name)
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }
  expect(stderr).toBe('')
  const asked = read('asked').trimEnd().split('\n')
  return { code: status, stdout, output: read('output'), summary: read('summary'), asked, folder }
}

describe('the step that runs', () => {
  test('gives exit code, verdict and folder, the summary, and stops commands meanwhile', () => {
    const { code, stdout, output, summary } = runStep({}, 1)
    expect(code).toBe(1)
    expect(output).toMatch(/^exit-code=1\nverdict=non-conformant\nresults<<(\S+)\nresults\n\1\n$/)
    expect(summary).toMatch(/^## ❌ non-conformant\n/)
    expect(stdout).toMatch(/^::stop-commands::(\S+)\n::error::from the implementation\n::\1::\n/)
  })

  test('hands every input over as one argument, whatever is in it', () => {
    const hostile = '$(touch pwned) `touch pwned`; touch pwned "\' --help'
    const env = { AOC_CONFIG: hostile, AOC_BASELINE: hostile, AOC_SHARD: '1/2', AOC_STRICT: 'true' }
    const { asked, folder, code } = runStep({ ...env, AOC_OUTPUT: hostile.replace('/', '') }, 0)
    expect(JSON.parse(asked[0] ?? '')).toEqual([
      'run',
      `--output=${hostile}`,
      `--config=${hostile}`,
      `--baseline=${hostile}`,
      '--shard=1/2',
      '--strict',
    ])
    expect(existsSync(join(folder, 'pwned'))).toBe(false)
    expect(code).toBe(0)
  })

  test('without results it tells the exit code alone', () => {
    const { code, output, summary } = runStep({}, 2, false)
    expect(code).toBe(2)
    expect(output).toMatch(/^exit-code=2\nverdict=\nresults<</)
    expect(summary).toBe('')
  })
})
