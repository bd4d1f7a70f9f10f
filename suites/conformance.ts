/** The way in for test files: `conformance('rap-oauth/tool', {...})` in a file that vitest runs. */

import { parseConfiguration } from '../harness/engine/index.ts'
import { registerProfile, type RegistrationOptions } from '../harness/vitest.ts'
import { profiles } from './registry.ts'

/**
 * Registers the conformance tests of a profile in the calling vitest file.
 *
 * @example
 * ```ts
 * import { conformance } from 'agent-oauth-conformance/vitest'
 *
 * conformance('rap-oauth/tool', {
 *   target: { url: 'http://127.0.0.1:{port}', command: ['node', 'server.js'], env: { PORT: '{port}' } },
 * })
 * ```
 *
 * @throws ConfigurationError (`invalid_configuration`) for a configuration that cannot be used
 * @throws TypeError for an unknown profile
 */
export function conformance(
  profileId: string,
  configuration: Readonly<Record<string, unknown>>,
  options: RegistrationOptions = {},
): void {
  const profile = profiles.find(({ id }) => id === profileId)
  if (!profile) {
    throw new TypeError(
      `unknown profile ${profileId}; known: ${profiles.map(({ id }) => id).join(', ')}`,
    )
  }
  const input = { profile: profileId, ...configuration }
  registerProfile(profile, parseConfiguration(profile.configuration, input), options)
}
