/** The roles whose checks are proven: the reference implementation of each, and how it is certified. */

import { fileURLToPath } from 'node:url'
import type { AnyProfile } from '../../harness/index.ts'
import { defects as runtimeDefects } from '../../reference/rap-runtime/defects.ts'
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
   * little, since other runs go on meanwhile.
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
    operation: { name: 'list_items', scopes: ['items:read'] },
    declares: { pendingTimeout: '15s', tokenStore: ['{data.dir}'] },
    timing: { ack: '4s', step: '15s', grace: '5s', maxWait: '25s' },
  },
  env: {
    PORT: '{port}',
    OAUTH_ISSUER: '{provider.issuer}',
    OAUTH_CLIENT_ID: '{provider.clientId}',
    OAUTH_CLIENT_SECRET: '{provider.clientSecret}',
    RESOURCE_URL: '{resource.url}',
    DATA_DIR: '{data.dir}',
    PENDING_TIMEOUT_MS: '{pendingTimeoutMs}',
    UPSTREAM_TIMEOUT_MS: '6000',
  },
}

const runtime: Role = {
  profile: rapRuntime,
  reference: 'reference/rap-runtime',
  defects: runtimeDefects,
  expected: expectedOfRuntime,
  configuration: {
    messages: {
      http: {
        path: '/conversations/{conversation}/messages',
        body: { text: '{text}', user_id: '{user}' },
      },
    },
    surface: [{ sse: { path: '/conversations/{conversation}/stream' } }],
    declares: {
      durable: true,
      userTimeout: '4s',
      cancel: { http: { path: '/conversations/{conversation}/cancel' } },
      surfaceWithin: '10s',
      storage: ['{data.dir}'],
    },
    timing: { step: '10s', grace: '5s' },
  },
  env: {
    PORT: '{port}',
    PUBLIC_URL: '{runtime.url}',
    TOOLSETS: '{toolset.url},{toolset2.url}',
    MODEL_BASE_URL: '{model.url}',
    MODEL_API_KEY: '{model.key}',
    MODEL_NAME: '{model.name}',
    DATA_DIR: '{data.dir}',
    CALL_TIMEOUT_MS: '{user.timeoutMs}',
  },
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
