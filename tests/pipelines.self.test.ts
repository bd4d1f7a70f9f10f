/** The documented pipelines, exactly as written, in a project that has nothing but a tool; the package comes from its tarball. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseRunRecord } from '../reports/index.ts'
import { publishLocally, type LocalRegistry } from './local-registry.ts'
import {
  runGithub,
  runGitlab,
  runKubernetes,
  shell,
  writeProject,
  type Ended,
} from './pipeline-runners.ts'
import { implementation } from './run-cli.ts'
import { plainNode } from './third-party.ts'

const settings = {
  ...plainNode,
  target: { ...(plainNode['target'] as object), command: ['node', 'server.mjs'] },
  declares: { pendingTimeout: '10s', tokenStore: ['{data.dir}/store'] },
}
const source = (name: string) => readFileSync(implementation(`plain-node/${name}`), 'utf8')

/** Five jobs each, nearly all of which install or wait; a machine that does much else takes long for them. */
const patience = 1_800_000

let registry: LocalRegistry | undefined
let project: string
beforeAll(async () => {
  registry = await publishLocally()
  project = writeProject({
    'server.mjs': source('server.mjs'),
    'toolset.mjs': source('toolset.mjs'),
    'conformance.config.ts': `export default ${JSON.stringify(settings)}`,
    'conformance.config.json': JSON.stringify(settings),
  })
}, patience)
afterAll(() => registry?.close())

/** Four shards that ended well, and a gate whose folder has what was merged. */
function expectCertified(
  ended: Readonly<Record<string, Ended[]>>,
  jobs: string[],
  merged: string,
): void {
  expect(Object.entries(ended).map(([name, all]) => [name, all.length])).toEqual([
    [jobs[0], 4],
    [jobs[1], 1],
  ])
  const [shards = [], [gate] = []] = jobs.map((name) => ended[name] ?? [])
  for (const { code, output } of shards) expect(code, output).toBe(0)
  const folder = join(gate!.folder, merged)
  expect(existsSync(join(folder, 'results.json')), gate!.output).toBe(true)
  const record = parseRunRecord(JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')))
  expect(record.partial).toBe(false)
  // A busy machine may leave something unproven, and then the gate has to say so.
  expect(record.verdict, gate!.output).not.toBe('non-conformant')
  expect(gate!.code, gate!.output).toBe(record.exit.code)
  expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toContain('<testsuites')
}

test.concurrent(
  'docs/ci/github-workflow.yml, with action.yml',
  async () => {
    const ended = await runGithub(project, registry!.env)
    expectCertified(ended, ['shard', 'gate'], 'merged')
  },
  patience,
)

test.concurrent(
  'docs/ci/gitlab-ci.yml',
  async () => {
    expectCertified(
      await runGitlab(project, registry!.env),
      ['conformance', 'conformance-gate'],
      'merged',
    )
  },
  patience,
)

test.concurrent(
  'docs/ci/kubernetes-job.yaml, in an image that has the package',
  async () => {
    const image = writeProject({ 'package.json': '{}' })
    const installed = await shell(
      ['npm', 'install', 'agent-oauth-conformance'],
      image,
      registry!.env,
    )
    expect(installed.code, installed.output).toBe(0)
    const ended = await runKubernetes(project, join(image, 'node_modules/.bin'), registry!.env)
    expectCertified(ended, ['oauth-conformance', 'oauth-conformance-gate'], 'results/merged')
  },
  patience,
)
