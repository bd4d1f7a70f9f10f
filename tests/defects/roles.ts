/** The roles whose checks are proven: the reference implementation of each, and how it is certified. */

import { fileURLToPath } from 'node:url'
import type { AnyProfile } from '../../harness/index.ts'
import { conformance as conformanceOfRuntime } from '../../reference/rap-runtime/conformance.ts'
import { defects as runtimeDefects } from '../../reference/rap-runtime/defects.ts'
import { conformance as conformanceOfTool } from '../../reference/rap-tool/conformance.ts'
import { defects as toolDefects } from '../../reference/rap-tool/defects.ts'
import { rapRuntime } from '../../suites/rap-oauth/runtime/profile.ts'
import { rapTool } from '../../suites/rap-oauth/tool/profile.ts'
import { expectedOfRuntime } from './expected/runtime.ts'
import { expectedOfTool } from './expected/tool.ts'
import type { Expectation } from './expectation.ts'

export interface Role {
  readonly profile: AnyProfile
  /** Folder of the reference implementation. */
  readonly reference: string
  readonly defects: readonly { readonly id: string; readonly description: string }[]
  readonly expected: Readonly<Record<string, Expectation>>
  /**
   * What its vendor would configure, without the command. The timeouts leave room for a busy machine: waiting costs
   * little, since other runs go on meanwhile. Few scenarios act at once, so that each flow is over quickly.
   */
  readonly configuration: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string>>
}

const tool: Role = {
  profile: rapTool,
  reference: 'reference/rap-tool',
  defects: toolDefects,
  expected: expectedOfTool,
  configuration: {
    ...conformanceOfTool,
    declares: { ...conformanceOfTool.declares, pendingTimeout: '15s' },
    timing: { ack: '4s', step: '15s', observe: '3s', grace: '5s', maxWait: '25s', concurrency: 4 },
  },
  env: { ...conformanceOfTool.target.env, UPSTREAM_TIMEOUT_MS: '6000' },
}

const runtime: Role = {
  profile: rapRuntime,
  reference: 'reference/rap-runtime',
  defects: runtimeDefects,
  expected: expectedOfRuntime,
  configuration: {
    ...conformanceOfRuntime,
    declares: { ...conformanceOfRuntime.declares, userTimeout: '4s', surfaceWithin: '10s' },
    timing: { step: '10s', grace: '5s', concurrency: 4 },
  },
  env: conformanceOfRuntime.target.env,
}

export const roles: readonly Role[] = [tool, runtime]

/** The command that starts the implementation, as it was built, with one defect or with none. */
export function targetOf({ reference, env }: Role, defect: string | undefined) {
  const name = defect === undefined ? 'main' : 'defective'
  const program = fileURLToPath(new URL(`../../dist/${reference}/${name}.js`, import.meta.url))
  return {
    command: [process.execPath, program],
    env: { ...env, ...(defect === undefined ? {} : { DEFECT: defect }) },
  }
}
