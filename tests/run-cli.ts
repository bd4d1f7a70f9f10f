/** Runs the built command line as a user does, for end-to-end tests. */

import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseRunRecord, type RunRecord } from '../reports/index.ts'

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const implementations = fileURLToPath(new URL('implementations/', import.meta.url))

export interface CliResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>
  /** A program, with its arguments, that starts the command line. */
  readonly by?: readonly string[]
  /** Called with everything that came on stdout so far. */
  readonly onOutput?: (text: string, child: ReturnType<typeof spawn>) => void
}

/** A folder of its own for one test. */
export function scratch(): string {
  return mkdtempSync(join(tmpdir(), 'aoc-test-'))
}

/** The path of a third-party implementation that was written for the tests. */
export function implementation(path: string): string {
  return join(implementations, path)
}

export function runCli(
  args: readonly string[],
  cwd: string,
  options: CliOptions = {},
): Promise<CliResult> {
  // Node warns on stderr where both variables are set, and vitest sets FORCE_COLOR.
  const { FORCE_COLOR: _, ...inherited } = process.env
  const env = { ...inherited, NO_COLOR: '1', ...options.env }
  const [command, ...before] = [...(options.by ?? []), process.execPath] as const
  const child = spawn(command, [...before, main, ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
    options.onOutput?.(stdout, child)
  })
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}

/** Certifies with a configuration and gives the exit code and the run record. */
export async function certify(
  configuration: Readonly<Record<string, unknown>>,
  options: CliOptions & { readonly args?: readonly string[] } = {},
): Promise<{ readonly code: number | null; readonly record: RunRecord; readonly folder: string }> {
  const folder = scratch()
  writeFileSync(join(folder, 'conformance.json'), JSON.stringify(configuration))
  const args = [
    'run',
    '--config',
    'conformance.json',
    '--output',
    'out',
    '--json',
    ...(options.args ?? []),
  ]
  const { code, stdout, stderr } = await runCli(args, folder, options)
  if (stdout === '') throw new Error(`no run record; stderr: ${stderr}`)
  return { code, record: parseRunRecord(JSON.parse(stdout)), folder: join(folder, 'out') }
}

/** Names of the requirements with this verdict: their ids without what stands before the last slash. */
export function requirementsWith(record: RunRecord, verdict: string): string[] {
  const ids = record.findings
    .filter((each) => each.verdict === verdict)
    .map((each) => each.requirement)
  return [...new Set(ids.map((id) => id.slice(id.lastIndexOf('/') + 1)))].sort()
}

/** The configuration with one more argument for the command, by which this run's processes are told from all others. */
export function marked<Settings extends object>(configuration: Settings) {
  const mark = randomUUID()
  const { target } = configuration as { readonly target?: { readonly command?: readonly string[] } }
  if (target?.command === undefined) throw new TypeError('only a command can be marked')
  return {
    configuration: { ...configuration, target: { ...target, command: [...target.command, mark] } },
    /** Command lines of its processes that still run. */
    running: () => processesWith(mark),
  }
}

function processesWith(text: string): string[] {
  const processes = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
  return processes.split('\n').filter((line) => line.includes(text))
}
