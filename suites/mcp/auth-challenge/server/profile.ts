/** The profile `mcp-auth-challenge/server`: its catalogue, its scenarios, its configuration. */

import type { Profile } from '../../../../harness/engine/index.ts'
import { nodeProgram } from '../../../../harness/parties/implementation/node-program.ts'
import { ownPlaceholders } from '../../../../harness/parties/implementation/placeholders.ts'
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
import { challenged } from './scenarios/define.ts'
import type { Fixtures } from './test-bed.ts'
import { callOf } from './view.ts'

export const authChallengeServer: Profile<Fixtures, Declared, ServerConfiguration> = {
  id: 'mcp-auth-challenge/server',
  title: 'MCP challenge in a tool result, server role',
  specification,
  requirements,
  scenarios,
  gate: {
    scenario: 'challenged-then-served',
    soon: (t) => t.requests('metadata')[0],
    atAll: (t) => callOf(t, challenged).reply,
    otherwise: 'got no answer to a call without a token',
  },
  diagram: {
    lanes: ['user', 'client', 'server', 'provider'],
    implementation: 'server',
    user: 'user',
    announcements: ['deployment', 'connect', 'begin', 'visit', 'visited'],
    channels: {
      mcp: { from: 'client', to: 'server', stimulus: true },
      'mcp-stream': { from: 'server', to: 'client' },
      metadata: { from: 'client', to: 'server', stimulus: true },
      provider: {
        from: 'server',
        to: 'provider',
        routes: [
          { path: '/authorize', from: 'user' },
          { path: '/interaction', from: 'user' },
          { path: '/token', from: 'client' },
        ],
      },
    },
  },
  reference: {
    name: 'reference MCP server that challenges in results',
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
        OAUTH_ISSUER: '{provider.issuer}',
        OAUTH_CLIENT_ID: '{provider.clientId}',
        OAUTH_CLIENT_SECRET: '{provider.clientSecret}',
      },
    },
  },
  placeholders: {
    ...ownPlaceholders,
    'server.url': 'http://127.0.0.1:{port}',
    ...providerPlaceholders,
  },
  expects: expectedSettings,
  declared: declaredBy,
  open: async (options) => (await import('./test-bed.ts')).openTestBed(options),
}
