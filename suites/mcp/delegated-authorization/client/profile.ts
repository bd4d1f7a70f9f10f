/** The profile `mcp-delegated-authorization/client`: its catalogue, its scenarios, its configuration. */

import type { Profile } from '../../../../harness/engine/index.ts'
import { nodeProgram } from '../../../../harness/parties/implementation/node-program.ts'
import { ownPlaceholders } from '../../../../harness/parties/implementation/placeholders.ts'
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
import { scenarios } from './scenarios/index.ts'
import type { Fixtures } from './test-bed.ts'
import { callOf, promptIn } from './view.ts'
import { browserChannel, siteChannel } from './vocabulary.ts'

export const delegatedAuthorizationClient: Profile<Fixtures, Declared, ClientConfiguration> = {
  id: 'mcp-delegated-authorization/client',
  title: 'MCP delegated authorization, client role',
  specification,
  requirements,
  scenarios,
  gate: {
    scenario: 'approve',
    soon: (t) => promptIn(callOf(t)),
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
    announcements: ['client', 'arrived'],
    channels: {
      mcp: { from: 'client', to: 'server' },
      'mcp-stream': { from: 'server', to: 'client', stimulus: true },
      [siteChannel]: { from: 'client', to: 'provider' },
      [browserChannel]: { from: 'user', to: 'client', stimulus: true },
    },
  },
  reference: {
    name: 'reference MCP client',
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
    target: { command: ['node', 'client.js', '{mcp.url}'] },
    drive: {
      terminal: {
        call: 'call {tool} {arguments}',
        prompt: 'Open it? [y]es, [n]o',
        accept: 'y',
        decline: 'n',
      },
    },
  },
  placeholders: {
    'data.dir': ownPlaceholders['data.dir'],
    ...serverPlaceholders,
    'mcp.command': 'a program without arguments that speaks for the first server over stdio',
    'mcp.command2': 'the same for the second one',
  },
  declared: declaredBy,
  open: async (options) => (await import('./test-bed.ts')).openTestBed(options),
}
