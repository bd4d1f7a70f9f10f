/** The profile `rap-oauth/tool`: its catalogue, its scenarios, its configuration. */

import type { Profile } from '../../../harness/engine/index.ts'
import { nodeProgram } from '../../../harness/parties/implementation/node-program.ts'
import { ownPlaceholders } from '../../../harness/parties/implementation/placeholders.ts'
import { providerChannel } from '../../../harness/parties/provider/channels.ts'
import { expectedSettings } from '../../../harness/parties/provider/expected-settings.ts'
import { providerPlaceholders } from '../../../harness/parties/provider/placeholders.ts'
import { specification } from '../specification.ts'
import {
  declaredBy,
  toolConfiguration,
  type Declared,
  type ToolConfiguration,
} from './configuration.ts'
import { requirements } from './requirements/index.ts'
import { scenarios } from './scenarios/index.ts'
import { conformance } from './reference/conformance.ts'
import type { Fixtures } from './test-bed.ts'

export const rapTool: Profile<Fixtures, Declared, ToolConfiguration> = {
  id: 'rap-oauth/tool',
  title: 'RAP OAuth, tool role',
  specification,
  requirements,
  scenarios,
  gate: {
    scenario: 'authorize-and-complete',
    soon: (t) => t.requests('browser')[0],
    atAll: (t) => t.requests('callback')[0],
    otherwise: 'got no message from the implementation',
  },
  diagram: {
    lanes: ['user', 'runtime', 'tool', 'provider', 'resource'],
    implementation: 'tool',
    user: 'user',
    announcements: ['deployment', 'invoke', 'visit', 'visited'],
    channels: {
      invocation: { from: 'runtime', to: 'tool', stimulus: true },
      discovery: { from: 'runtime', to: 'tool', stimulus: true },
      notification: { from: 'runtime', to: 'tool', stimulus: true },
      browser: { from: 'user', to: 'tool', stimulus: true },
      callback: { from: 'tool', to: 'runtime' },
      provider: providerChannel('tool'),
    },
  },
  reference: {
    name: 'reference RAP tool',
    settings: () => ({
      ...conformance,
      target: {
        ...conformance.target,
        command: nodeProgram(new URL('reference/main.ts', import.meta.url)),
      },
    }),
  },
  configuration: toolConfiguration,
  start: {
    target: {
      command: ['node', 'server.js'],
      env: {
        PORT: '{port}',
        PUBLIC_URL: '{tool.url}',
        OAUTH_ISSUER: '{provider.issuer}',
        OAUTH_CLIENT_ID: '{provider.clientId}',
        OAUTH_CLIENT_SECRET: '{provider.clientSecret}',
        RESOURCE_URL: '{resource.url}',
        DATA_DIR: '{data.dir}',
      },
    },
  },
  placeholders: {
    ...ownPlaceholders,
    'tool.url': 'http://127.0.0.1:{port}',
    ...providerPlaceholders,
    pendingTimeoutMs: 'the declared pendingTimeout, in milliseconds',
  },
  expects: expectedSettings,
  declared: declaredBy,
  open: async (options) => (await import('./test-bed.ts')).openTestBed(options),
}
