/** One whole run of the tool profile against the reference tool with a defect, as a process of its own. */

import { fileURLToPath } from 'node:url'
import { openSession, parseConfiguration, type Finding } from '../../harness/index.ts'
import { rapTool } from '../../suites/rap-oauth/tool/profile.ts'
import type { Overlay } from './expectation.ts'

const built = (name: string): string =>
  fileURLToPath(new URL(`../../dist/reference/rap-tool/${name}.js`, import.meta.url))

/**
 * Runs every scenario. Without a defect the clean tool is run.
 * The timeouts leave room for a busy machine: waiting costs little, since other runs go on meanwhile.
 */
export async function runDefect(
  defect: string | undefined,
  { redirectMatching = 'exact' }: Overlay = {},
): Promise<readonly Finding[]> {
  const configuration = parseConfiguration(rapTool.configuration, {
    profile: 'rap-oauth/tool',
    target: {
      command: [process.execPath, built(defect === undefined ? 'main' : 'defective')],
      env: {
        ...(defect === undefined ? {} : { DEFECT: defect }),
        PORT: '{port}',
        OAUTH_ISSUER: '{provider.issuer}',
        OAUTH_CLIENT_ID: '{provider.clientId}',
        OAUTH_CLIENT_SECRET: '{provider.clientSecret}',
        RESOURCE_URL: '{resource.url}',
        DATA_DIR: '{data.dir}',
        PENDING_TIMEOUT_MS: '{pendingTimeoutMs}',
        UPSTREAM_TIMEOUT_MS: '6000',
      },
    },
    provider: { redirectMatching },
    operation: { name: 'list_items', scopes: ['items:read'] },
    declares: { pendingTimeout: '10s', tokenStore: ['{data.dir}'] },
    timing: { grace: '5s', maxWait: '20s' },
  })
  const base = fileURLToPath(new URL('.', import.meta.url))
  const session = await openSession(rapTool, { configuration, base })
  try {
    const findings = await Promise.all(rapTool.scenarios.map(({ id }) => session.judge(id)))
    if (session.failures.length > 0) {
      throw new Error(`the harness failed: ${JSON.stringify(session.failures)}`)
    }
    return findings.flat()
  } finally {
    await session.close()
  }
}
