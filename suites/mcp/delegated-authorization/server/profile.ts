/** The profile `mcp-delegated-authorization/server`: its catalogue, its scenarios, its configuration. */

import type { Profile } from '../../../../harness/engine/index.ts'
import { nodeProgram } from '../../../../harness/parties/implementation/node-program.ts'
import { ownPlaceholders } from '../../../../harness/parties/implementation/placeholders.ts'
import { providerChannel } from '../../../../harness/parties/provider/channels.ts'
import { expectedSettings } from '../../../../harness/parties/provider/expected-settings.ts'
import { providerPlaceholders } from '../../../../harness/parties/provider/placeholders.ts'
import { specification } from '../specification.ts'
import {
  declaredBy,
  serverConfiguration,
  type Declared,
  type ServerConfiguration,
} from './configuration.ts'
import { conformance } from './reference/conformance.ts'
import { requirements } from './requirements/index.ts'
import { scenarios } from './scenarios/index.ts'
import type { Fixtures } from './test-bed.ts'
import { callOf } from './view.ts'

export const delegatedAuthorizationServer: Profile<Fixtures, Declared, ServerConfiguration> = {
  id: 'mcp-delegated-authorization/server',
  title: 'MCP delegated authorization, server role',
  specification,
  requirements,
  scenarios,
  gate: {
    scenario: 'approve',
    soon: (t) => t.requests('browser')[0],
    atAll: (t) => callOf(t).replies[0] ?? callOf(t).askings[0],
    otherwise: 'got no answer from the server',
  },
  diagram: {
    lanes: ['user', 'client', 'server', 'provider', 'resource'],
    implementation: 'server',
    user: 'user',
    announcements: ['deployment', 'connect', 'begin', 'visit', 'visited'],
    channels: {
      mcp: { from: 'client', to: 'server', stimulus: true },
      'mcp-stream': { from: 'server', to: 'client' },
      browser: { from: 'user', to: 'client' },
      provider: providerChannel('server'),
    },
  },
  reference: {
    name: 'reference MCP server',
    settings: () => ({
      ...conformance,
      target: {
        ...conformance.target,
        command: nodeProgram(new URL('reference/main.ts', import.meta.url)),
      },
    }),
  },
  configuration: serverConfiguration,
  start: {
    target: {
      command: ['node', 'server.js'],
      env: {
        PORT: '{port}',
        PUBLIC_URL: '{server.url}',
        REDIRECT_URI: '{redirect.url}',
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
    'server.url': 'http://127.0.0.1:{port}',
    'redirect.url': 'the redirect URI of the client, which the suite plays',
    ...providerPlaceholders,
    pendingTimeoutMs: 'the declared pendingTimeout, in milliseconds',
  },
  expects: expectedSettings,
  declared: declaredBy,
  open: async (options) => (await import('./test-bed.ts')).openTestBed(options),
}
