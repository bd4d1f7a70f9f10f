/** The profile `adk-credential/client`: its catalogue, its scenarios, its configuration. */

import type { Profile } from '../../../harness/engine/index.ts'
import { nodeProgram } from '../../../harness/parties/implementation/node-program.ts'
import { ownPlaceholders } from '../../../harness/parties/implementation/placeholders.ts'
import { providerPlaceholders } from '../../../harness/parties/provider/placeholders.ts'
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
import { askedOf } from './view.ts'
import { apiChannel, consentChannel } from './vocabulary.ts'

export const adkClient: Profile<Fixtures, Declared, ClientConfiguration> = {
  id: 'adk-credential/client',
  title: 'ADK credential requests, client role',
  specification,
  requirements,
  scenarios,
  gate: {
    scenario: 'consent-and-complete',
    soon: (t) => askedOf(t)[0]?.opened[0],
    atAll: (t) => askedOf(t)[0],
    otherwise: 'got no message of the client application that an agent could answer',
  },
  diagram: {
    lanes: ['user', 'client', 'agent', 'provider'],
    implementation: 'client',
    user: 'user',
    announcements: ['begin', 'visit', 'visited'],
    channels: {
      message: { from: 'user', to: 'client', stimulus: true },
      [apiChannel]: { from: 'client', to: 'agent' },
      [consentChannel]: { from: 'client', to: 'agent' },
      browser: { from: 'user', to: 'client' },
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
    name: 'reference ADK client application',
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
      command: ['node', 'client.js'],
      env: { PORT: '{port}', AGENT_URL: '{agent.url}', AGENT_APP: '{agent.app}' },
    },
    drive: {
      http: {
        message: { path: '/messages', body: { text: '{text}' } },
        surface: [{ poll: { path: '/messages' } }],
      },
    },
  },
  placeholders: {
    ...ownPlaceholders,
    'client.url': 'http://127.0.0.1:{port}',
    'agent.url': 'the REST API of the scripted agent',
    'agent.app': 'the name of the agent application',
    'agent.consentBegin':
      'in the dialect of responses: POST {userId, authConfig} gives {authUri, flowId}',
    'agent.consentComplete': 'POST {userId, flowId, state, code, iss} gives {credential}',
    'user.id': 'an id of the user, where the client application has no users of its own',
    'ca.file': providerPlaceholders['ca.file'],
  },
  declared: declaredBy,
  open: async (options) => (await import('./test-bed.ts')).openTestBed(options),
}
