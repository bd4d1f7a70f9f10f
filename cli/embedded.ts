/** The configurations that certify the reference implementations of this package, in processes of their own. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageInfo } from './package-info.ts'

/** What `run` certifies without --config and --url: the reference implementation of the profile. */
export function embeddedConfiguration(profile: unknown): Record<string, unknown> {
  return profile === 'rap-oauth/runtime' ? referenceRuntime() : referenceTool()
}

function referenceTool(): Record<string, unknown> {
  return {
    profile: 'rap-oauth/tool',
    implementation: { name: 'reference RAP tool', version: packageInfo.version },
    target: {
      command: [process.execPath, ...reference('rap-tool')],
      env: {
        PORT: '{port}',
        PUBLIC_URL: '{tool.url}',
        OAUTH_ISSUER: '{provider.issuer}',
        OAUTH_CLIENT_ID: '{provider.clientId}',
        OAUTH_CLIENT_SECRET: '{provider.clientSecret}',
        RESOURCE_URL: '{resource.url}',
        DATA_DIR: '{data.dir}',
        PENDING_TIMEOUT_MS: '{pendingTimeoutMs}',
        UPSTREAM_TIMEOUT_MS: '3000',
      },
    },
    operation: { name: 'list_items', scopes: ['items:read'] },
    declares: { pendingTimeout: '5s', tokenStore: ['{data.dir}'] },
  }
}

function referenceRuntime(): Record<string, unknown> {
  return {
    profile: 'rap-oauth/runtime',
    implementation: { name: 'reference RAP runtime', version: packageInfo.version },
    target: {
      command: [process.execPath, ...reference('rap-runtime')],
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
    },
    messages: {
      http: {
        path: '/conversations/{conversation}/messages',
        body: { text: '{text}', user_id: '{user}' },
      },
    },
    surface: [{ sse: { path: '/conversations/{conversation}/stream' } }],
    declares: {
      durable: true,
      userTimeout: '3s',
      cancel: { http: { path: '/conversations/{conversation}/cancel' } },
      storage: ['{data.dir}'],
    },
  }
}

/** Arguments of node that start it: compiled beside this module, or from its source through jiti. */
function reference(name: string): string[] {
  const folder = fileURLToPath(new URL(`../reference/${name}/`, import.meta.url))
  const compiled = join(folder, 'main.js')
  if (existsSync(compiled)) return [compiled]
  return ['--import', import.meta.resolve('jiti/register'), join(folder, 'main.ts')]
}
