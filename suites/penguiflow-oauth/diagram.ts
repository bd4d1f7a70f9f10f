/** Who speaks to whom, and what a configuration may say in braces. */

import type { Diagram } from '../../harness/engine/index.ts'
import { ownPlaceholders } from '../../harness/parties/implementation/placeholders.ts'
import { providerChannel } from '../../harness/parties/provider/channels.ts'
import { providerPlaceholders } from '../../harness/parties/provider/placeholders.ts'

export const diagram: Diagram = {
  lanes: ['user', 'planner', 'model', 'provider', 'resource'],
  implementation: 'planner',
  user: 'user',
  announcements: [
    'deployment',
    'message',
    'paused',
    'resume',
    'callback-taken',
    'tool-run',
    'finished',
    'run-failed',
    'restarted',
    'clock',
    'visit',
    'visited',
    'model-asked',
    'model-called',
  ],
  channels: {
    browser: { from: 'user', to: 'planner', stimulus: true },
    model: { from: 'planner', to: 'model' },
    provider: providerChannel('planner'),
  },
}

export const placeholders = {
  ...ownPlaceholders,
  'host.url': 'http://127.0.0.1:{port}',
  'callback.url': 'the redirect URI: http://127.0.0.1:{port}/oauth/callback',
  'model.origin': 'the scripted model, for clients of Gemini and Anthropic',
  'model.url': 'the same with /v1, for clients of OpenAI',
  'model.key': 'any key is taken',
  'model.name': 'any model is taken',
  scopes: 'the scopes that both providers are asked for, separated by blanks',
  'provider.name': 'what the first provider is called',
  'provider2.name': 'what the second one is called: another client at the same endpoints',
  'provider2.clientId': 'its client',
  'provider2.clientSecret': 'the secret of that client',
  state: 'durable or none: whether there is a state store, and tokens are kept over a restart',
  ...providerPlaceholders,
} as const
