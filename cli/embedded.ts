/** The configuration that certifies the reference tool of this package, in a process of its own. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageInfo } from './package-info.ts'

/** What `run` certifies without --config and --url. */
export function embeddedConfiguration(): Record<string, unknown> {
  return {
    profile: 'rap-oauth/tool',
    implementation: { name: 'reference RAP tool', version: packageInfo.version },
    target: {
      command: [process.execPath, ...referenceTool()],
      env: {
        PORT: '{port}',
        PUBLIC_URL: '{tool.url}',
        OAUTH_ISSUER: '{provider.issuer}',
        OAUTH_CLIENT_ID: '{provider.clientId}',
        OAUTH_CLIENT_SECRET: '{provider.clientSecret}',
        RESOURCE_URL: '{resource.url}',
        DATA_DIR: '{data.dir}',
        PENDING_TIMEOUT_MS: '4000',
        UPSTREAM_TIMEOUT_MS: '2000',
      },
    },
    operation: { name: 'list_items', scopes: ['items:read'] },
    declares: { pendingTimeout: '4s', tokenStore: ['{data.dir}'] },
  }
}

/** Arguments of node that start it: compiled beside this module, or from its source through jiti. */
function referenceTool(): string[] {
  const folder = fileURLToPath(new URL('../reference/rap-tool/', import.meta.url))
  const compiled = join(folder, 'main.js')
  if (existsSync(compiled)) return [compiled]
  return ['--import', import.meta.resolve('jiti/register'), join(folder, 'main.ts')]
}
