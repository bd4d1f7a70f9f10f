/** The profile `mcp-auth-challenge/client`: its catalogue, its scenarios, its configuration. */

import type { Profile } from '../../../../harness/engine/index.ts'
import { nodeProgram } from '../../../../harness/parties/implementation/node-program.ts'
import { ownPlaceholders } from '../../../../harness/parties/implementation/placeholders.ts'
import { providerPlaceholders } from '../../../../harness/parties/provider/placeholders.ts'
import { serverPlaceholders } from '../../client/configuration.ts'
import { havePortInCommon } from '../../client/same-port.ts'
import { specification } from '../specification.ts'
import {
  clientConfiguration,
  declaredBy,
  type ClientConfiguration,
  type Declared,
} from './configuration.ts'
import { conformance } from './reference/conformance.ts'
import { requirements } from './requirements/index.ts'
import { control } from './scenarios/define.ts'
import { scenarios } from './scenarios/index.ts'
import type { Fixtures } from './test-bed.ts'
import { callOf } from './view.ts'
import { metadataChannel, trapChannel } from './vocabulary.ts'

export const authChallengeClient: Profile<Fixtures, Declared, ClientConfiguration> = {
  id: 'mcp-auth-challenge/client',
  title: 'MCP challenge in a tool result, client role',
  specification,
  requirements,
  scenarios,
  gate: {
    scenario: control,
    soon: (t) => callOf(t).opened[0],
    atAll: (t) => callOf(t).attempts[0],
    next: {
      scenario: 'denied',
      soon: (t) => callOf(t).opened[0],
      serial: havePortInCommon,
    },
    otherwise: 'saw no call of the tool',
  },
  diagram: {
    lanes: ['user', 'client', 'server', 'provider'],
    implementation: 'client',
    user: 'user',
    announcements: ['client', 'visit', 'visited'],
    channels: {
      mcp: { from: 'client', to: 'server' },
      'mcp-stream': { from: 'server', to: 'client', stimulus: true },
      [metadataChannel]: { from: 'client', to: 'server' },
      [trapChannel]: { from: 'client', to: 'server' },
      browser: { from: 'user', to: 'client', stimulus: true },
      provider: {
        from: 'client',
        to: 'provider',
        routes: [
          { path: '/authorize', from: 'user' },
          { path: '/interaction', from: 'user' },
        ],
      },
    },
  },
  reference: {
    name: 'reference MCP client that follows challenges',
    settings: () => ({
      ...conformance,
      target: {
        ...conformance.target,
        command: nodeProgram(new URL('reference/main.ts', import.meta.url)),
      },
    }),
  },
  configuration: clientConfiguration,
  start: {
    target: {
      command: ['node', 'client.js', '{mcp.url}'],
      env: {
        OAUTH_CLIENT_ID: '{provider.clientId}',
        OAUTH_CLIENT_SECRET: '{provider.clientSecret}',
      },
    },
    drive: { terminal: { call: 'call {tool} {arguments}' } },
  },
  placeholders: {
    'data.dir': ownPlaceholders['data.dir'],
    ...serverPlaceholders,
    'ca.file': providerPlaceholders['ca.file'],
    'hosts.file': providerPlaceholders['hosts.file'],
    'provider.issuer': 'the provider, which the metadata of the servers names',
    'provider.clientId':
      'the registered client, for which every redirect URI of the loopback interface is taken',
    'provider.clientSecret': 'the secret of that client',
  },
  declared: declaredBy,
  open: async (options) => (await import('./test-bed.ts')).openTestBed(options),
}
