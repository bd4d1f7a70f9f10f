/** What a GitHub runner, a GitLab runner and a kubelet do with the documented pipelines, as far as those ask for it. */

import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse, parseAllDocuments } from 'yaml'
import { scratch } from '../run-cli.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (name: string): string => readFileSync(join(root, name), 'utf8')
type Env = Readonly<Record<string, string>>

/** How a job ended, what it printed, and the folder that it worked in. */
export interface Ended {
  readonly code: number
  readonly output: string
  readonly folder: string
}

/** Runs text as the given shell does. */
export function shell(command: readonly string[], cwd: string, env: Env): Promise<Ended> {
  const [program = 'sh', ...args] = command
  const { FORCE_COLOR: _, VITEST: __, ...inherited } = process.env
  const child = spawn(program, args, {
    cwd,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? 1, output, folder: cwd }))
  })
}

const bash = (script: string) => [
  'bash',
  '--noprofile',
  '--norc',
  '-e',
  '-o',
  'pipefail',
  '-c',
  script,
]

/** A folder with what a checkout of the project has. */
function checkout(project: string): string {
  const folder = scratch()
  cpSync(project, folder, { recursive: true })
  return folder
}

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly if?: string
  readonly env?: Env
  readonly with?: Readonly<Record<string, string | number | boolean>>
  readonly 'continue-on-error'?: boolean
}
interface Job {
  readonly steps: readonly Step[]
  readonly strategy?: { readonly matrix: { readonly shard: readonly number[] } }
}

/** `${{ inputs.shard }}` and its like. */
function fill(text: unknown, values: Env): string {
  return String(text).replaceAll(/\$\{\{ ([\w.-]+) \}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`nothing is known of ${name}`)
    return value
  })
}

/** The jobs of the documented workflow in their order, those of a matrix one after the other. */
export async function runGithub(
  project: string,
  env: Env,
): Promise<Readonly<Record<string, Ended[]>>> {
  const { jobs } = parse(read('docs/ci/github-workflow.yml')) as {
    readonly jobs: Record<string, Job>
  }
  const artifacts = scratch()
  const ended: Record<string, Ended[]> = {}
  for (const [name, job] of Object.entries(jobs)) {
    for (const shard of job.strategy?.matrix.shard ?? [0]) {
      const values = { 'matrix.shard': String(shard) }
      const result = await runSteps(job.steps, checkout(project), values, env, artifacts)
      ended[name] = [...(ended[name] ?? []), result]
    }
  }
  return ended
}

async function runSteps(
  steps: readonly Step[],
  folder: string,
  values: Env,
  env: Env,
  artifacts: string,
) {
  const temporary = scratch()
  const own = {
    RUNNER_TEMP: temporary,
    GITHUB_OUTPUT: join(temporary, 'output'),
    GITHUB_STEP_SUMMARY: join(temporary, 'summary'),
    GITHUB_ACTION_PATH: root,
  }
  let [code, output] = [0, '']
  for (const step of steps) {
    if (code !== 0 && step.if !== 'always()') continue
    const set = Object.fromEntries(
      Object.entries(step.env ?? {}).map(([name, value]) => [name, fill(value, values)]),
    )
    const inputs = step.with ?? {}
    const path = join(folder, fill(inputs['path'] ?? '', values))
    const [action = ''] = (step.uses ?? '').split('@')
    let result: Pick<Ended, 'code' | 'output'> = { code: 0, output: '' }
    if (step.run !== undefined)
      result = await shell(bash(step.run), folder, { ...env, ...own, ...set })
    else if (action === 'actions/upload-artifact') {
      // What is not there is a warning to a runner.
      if (existsSync(path))
        cpSync(path, join(artifacts, fill(inputs['name'], values)), { recursive: true })
    } else if (action === 'actions/download-artifact') {
      for (const each of readdirSync(artifacts))
        cpSync(join(artifacts, each), path, { recursive: true })
    } else if (action.endsWith('/agent-oauth-conformance'))
      result = await runAction(inputs, folder, values, env)
    else if (!['actions/checkout', 'actions/setup-node'].includes(action))
      throw new Error(`no runner knows ${action}`)
    output += result.output
    if (step['continue-on-error'] !== true) code ||= result.code
  }
  return { code, output, folder }
}

/** The steps of `action.yml`, with what the workflow gives it and its defaults. */
function runAction(
  given: NonNullable<Step['with']>,
  folder: string,
  values: Env,
  env: Env,
): Promise<Ended> {
  const action = parse(read('action.yml')) as {
    readonly inputs: Readonly<Record<string, { readonly default: string }>>
    readonly runs: { readonly steps: readonly Step[] }
  }
  const inputs = Object.entries(action.inputs).map(([name, input]) => {
    return [`inputs.${name}`, fill(given[name] ?? input.default, values)]
  })
  return runSteps(action.runs.steps, folder, Object.fromEntries(inputs) as Env, env, '')
}

interface GitlabJob {
  readonly parallel?: number
  readonly script: readonly string[]
  readonly artifacts: { readonly paths: readonly string[] }
}

/** The jobs of the documented GitLab pipeline; a later one gets the artifacts of those before it. */
export async function runGitlab(
  project: string,
  env: Env,
): Promise<Readonly<Record<string, Ended[]>>> {
  const jobs = parse(read('docs/ci/gitlab-ci.yml')) as Record<string, GitlabJob>
  const artifacts = scratch()
  const ended: Record<string, Ended[]> = {}
  for (const [name, job] of Object.entries(jobs)) {
    for (let index = 1; index <= (job.parallel ?? 1); index += 1) {
      const folder = checkout(project)
      cpSync(artifacts, folder, { recursive: true })
      const node = { CI_NODE_INDEX: String(index), CI_NODE_TOTAL: String(job.parallel ?? 1) }
      const result = await shell(bash(job.script.join('\n')), folder, { ...env, ...node })
      for (const path of job.artifacts.paths) {
        if (existsSync(join(folder, path)))
          cpSync(join(folder, path), join(artifacts, path), { recursive: true })
      }
      ended[name] = [...(ended[name] ?? []), result]
    }
  }
  return ended
}

interface Manifest {
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly completions?: number
    readonly template: {
      readonly spec: {
        readonly containers: readonly [{ readonly command: string[]; readonly args: string[] }]
      }
    }
  }
}

/** The pods of the documented Jobs, in a folder that stands for their working directory with its two volumes. */
export async function runKubernetes(
  project: string,
  bin: string,
  env: Env,
): Promise<Readonly<Record<string, Ended[]>>> {
  const folder = scratch()
  cpSync(project, join(folder, 'config'), { recursive: true })
  mkdirSync(join(folder, 'results'))
  const documents = parseAllDocuments(read('docs/ci/kubernetes-job.yaml'))
  const ended: Record<string, Ended[]> = {}
  for (const { metadata, spec } of documents.map((each) => each.toJS() as Manifest)) {
    const [{ command, args }] = spec.template.spec.containers
    for (let index = 0; index < (spec.completions ?? 1); index += 1) {
      const pod = { PATH: `${bin}:${process.env['PATH']}`, JOB_COMPLETION_INDEX: String(index) }
      const result = await shell([...command, ...args], folder, { ...env, ...pod })
      ended[metadata.name] = [...(ended[metadata.name] ?? []), result]
    }
  }
  return ended
}

/** Writes the files of a project; what is no text is JSON. */
export function writeProject(files: Readonly<Record<string, string>>): string {
  const folder = scratch()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}
