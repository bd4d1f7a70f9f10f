/** The profile `adk-credential/agent`: its catalogue, its scenarios, its configuration. */

import type { Profile } from '../../../harness/engine/index.ts'
import { nodeProgram } from '../../../harness/parties/implementation/node-program.ts'
import { ownPlaceholders } from '../../../harness/parties/implementation/placeholders.ts'
import { providerChannel } from '../../../harness/parties/provider/channels.ts'
import { expectedSettings } from '../../../harness/parties/provider/expected-settings.ts'
import { providerPlaceholders } from '../../../harness/parties/provider/placeholders.ts'
import { specification } from '../specification.ts'
import {
  agentConfiguration,
  declaredBy,
  type AgentConfiguration,
  type Declared,
} from './configuration.ts'
import { conformance } from './reference/conformance.ts'
import { requirements } from './requirements/index.ts'
import { scenarios } from './scenarios/index.ts'
import type { Fixtures } from './test-bed.ts'
import { callOf } from './view.ts'

export const adkAgent: Profile<Fixtures, Declared, AgentConfiguration> = {
  id: 'adk-credential/agent',
  title: 'ADK credential requests, agent role',
  specification,
  requirements,
  scenarios,
  gate: {
    scenario: 'consent-and-complete',
    soon: (t) => t.requests('browser')[0],
    atAll: (t) => callOf(t).requests[0] ?? callOf(t).ended[0],
    otherwise: 'got neither a credential request nor a result from the agent',
  },
  diagram: {
    lanes: ['user', 'application', 'agent', 'model', 'provider', 'resource'],
    implementation: 'agent',
    user: 'user',
    announcements: [
      'deployment',
      'begin',
      'asked',
      'visit',
      'visited',
      'model-asked',
      'model-called',
    ],
    channels: {
      api: { from: 'application', to: 'agent', stimulus: true },
      consent: { from: 'application', to: 'agent', stimulus: true },
      browser: { from: 'user', to: 'application' },
      model: { from: 'agent', to: 'model' },
      provider: providerChannel('agent'),
    },
  },
  reference: {
    name: 'reference ADK agent',
    settings: () => ({
      ...conformance,
      target: {
        ...conformance.target,
        command: nodeProgram(new URL('reference/main.ts', import.meta.url)),
      },
    }),
  },
  configuration: agentConfiguration,
  start: {
    target: {
      command: ['adk', 'api_server', '--port', '{port}', 'agents'],
      env: {
        GOOGLE_GEMINI_BASE_URL: '{model.origin}',
        GOOGLE_API_KEY: '{model.key}',
        REQUESTS_CA_BUNDLE: '{ca.file}',
        AUTHORIZATION_ENDPOINT: '{provider.authorizationEndpoint}',
        TOKEN_ENDPOINT: '{provider.tokenEndpoint}',
        OAUTH_CLIENT_ID: '{provider.clientId}',
        OAUTH_CLIENT_SECRET: '{provider.clientSecret}',
        RESOURCE_URL: '{resource.url}',
      },
    },
    operation: { name: 'list_items', scopes: ['items:read'] },
  },
  placeholders: {
    ...ownPlaceholders,
    'agent.url': 'http://127.0.0.1:{port}',
    'model.origin': 'the scripted model, for clients of Gemini and Anthropic',
    'model.url': 'the same with /v1, for clients of OpenAI',
    'model.key': 'any key is taken',
    'model.name': 'any model is taken',
    'redirect.url': 'the redirect URI of the client application, which the suite plays',
    ...providerPlaceholders,
  },
  expects: expectedSettings,
  declared: declaredBy,
  open: async (options) => (await import('./test-bed.ts')).openTestBed(options),
}
