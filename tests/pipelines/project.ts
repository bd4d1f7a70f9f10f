/** What the documented pipelines are tried in: a project that has nothing but a tool, and a registry that has the package. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { parseRunRecord } from '../../reports/index.ts'
import { publishLocally, type LocalRegistry } from '../local-registry.ts'
import { implementation } from '../run-cli.ts'
import { plainNode } from '../third-party.ts'
import { writeProject, type Ended } from './runners.ts'

const settings = {
  ...plainNode,
  target: { ...(plainNode['target'] as object), command: ['node', 'server.mjs'] },
  declares: { pendingTimeout: '10s', tokenStore: ['{data.dir}/store'] },
}
const source = (name: string) => readFileSync(implementation(`plain-node/${name}`), 'utf8')

/** Milliseconds: five jobs each, nearly all of which install or wait; a machine that does much else takes long for them. */
export const patience = 1_800_000

/** Makes both before the tests of a file, and gives where the project is and what finds the registry. */
export function pipelineProject(): { readonly folder: string; readonly env: LocalRegistry['env'] } {
  let registry: LocalRegistry | undefined
  let folder = ''
  beforeAll(async () => {
    registry = await publishLocally()
    folder = writeProject({
      'server.mjs': source('server.mjs'),
      'toolset.mjs': source('toolset.mjs'),
      'conformance.config.ts': `export default ${JSON.stringify(settings)}`,
      'conformance.config.json': JSON.stringify(settings),
    })
  }, patience)
  afterAll(() => registry?.close())
  return {
    get folder() {
      return folder
    },
    get env() {
      return registry!.env
    },
  }
}

/** Four shards that ended well, and a gate whose folder has what was merged. */
export function expectCertified(
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
