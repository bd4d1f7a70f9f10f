/** What somebody has to configure in an implementation that runs already, so that it meets the mock provider. */

import { relative, resolve } from 'node:path'
import type { CommonConfiguration } from '../configuration.ts'
import type { ProviderConfiguration } from '../provider-settings.ts'

/** Lines to print: the provider as it is in this run. */
export function expectedSettings(
  { provider }: CommonConfiguration & { readonly provider: ProviderConfiguration },
  issuer: string,
  base: string,
): readonly string[] {
  const { client, authority, port } = provider
  const secret = client.secret === undefined ? 'public, no secret' : 'with the configured secret'
  const ca =
    authority === undefined
      ? 'new in every run; keep one with --authority DIR and let it be trusted: DIR/ca.pem'
      : near(resolve(base, authority, 'ca.pem'))
  const moving = port === 0 ? '  (another port in every run; keep one with --provider-port N)' : ''
  return [
    'It must be configured for this provider:',
    `  issuer     ${issuer}${moving}`,
    `  client     ${client.id}, ${secret}`,
    `  API        ${issuer}/resource`,
    `  authority  ${ca}`,
  ]
}

/** The shorter way to write a path. */
function near(path: string): string {
  const shown = relative(process.cwd(), path)
  return shown.startsWith('..') ? path : shown
}
