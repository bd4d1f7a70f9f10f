/** The profile `mcp-url-elicitation/client`: its catalogue, its scenarios, its configuration. */

import type { Profile } from '../../../../harness/engine/index.ts'
import { nodeProgram } from '../../../../harness/parties/implementation/node-program.ts'
import { ownPlaceholders } from '../../../../harness/parties/implementation/placeholders.ts'
import { serverPlaceholders } from '../../client/configuration.ts'
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
import { pageChannel } from './vocabulary.ts'

export const urlElicitationClient: Profile<Fixtures, Declared, ClientConfiguration> = {
  id: 'mcp-url-elicitation/client',
  title: 'MCP URL elicitation, client role',
  specification,
  requirements,
  scenarios,
  gate: {
    scenario: 'accept',
    soon: (t) => promptIn(callOf(t)),
    atAll: (t) => callOf(t).attempts[0],
    otherwise: 'saw no call of the tool',
  },
  diagram: {
    lanes: ['user', 'client', 'server'],
    implementation: 'client',
    user: 'user',
    announcements: ['client', 'arrived'],
    channels: {
      mcp: { from: 'client', to: 'server' },
      'mcp-stream': { from: 'server', to: 'client', stimulus: true },
      [pageChannel]: { from: 'client', to: 'server' },
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
    target: {
      command: ['node', 'client.js', '{mcp.url}'],
    },
    drive: {
      terminal: {
        call: 'call {tool} {arguments}',
        prompt: 'Open it? [y]es, [n]o, [c]ancel',
        accept: 'y',
        decline: 'n',
        cancel: 'c',
      },
    },
  },
  placeholders: {
    'data.dir': ownPlaceholders['data.dir'],
    ...serverPlaceholders,
    'mcp.command': 'a program without arguments that speaks for the first server over stdio',
    'mcp.command2': 'the program of the second',
  },
  declared: declaredBy,
  open: async (options) => (await import('./test-bed.ts')).openTestBed(options),
}
