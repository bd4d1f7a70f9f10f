/** The profile `rap-oauth/runtime`: its catalogue, its scenarios, its configuration. */

import type { Profile, Transcript } from '../../../harness/engine/index.ts'
import { nodeProgram } from '../../../harness/parties/implementation/node-program.ts'
import { ownPlaceholders } from '../../../harness/parties/implementation/placeholders.ts'
import { specification } from '../specification.ts'
import {
  declaredBy,
  runtimeConfiguration,
  type Declared,
  type RuntimeConfiguration,
} from './configuration.ts'
import { requirements } from './requirements/index.ts'
import { scenarios } from './scenarios/index.ts'
import { takesOneAtATime, triedTurnsAtOnce } from './scenarios/turns-at-once.ts'
import { conformance } from './reference/conformance.ts'
import type { Fixtures } from './test-bed.ts'
import { isAfter } from './view.ts'

const invoked = (t: Transcript) => t.requests('invocation').find(({ call }) => call !== undefined)

export const rapRuntime: Profile<Fixtures, Declared, RuntimeConfiguration> = {
  id: 'rap-oauth/runtime',
  title: 'RAP OAuth, runtime role',
  specification,
  requirements,
  scenarios,
  gate: {
    scenario: 'authorize-and-complete',
    // What is shown before may be a greeting.
    soon: (t) =>
      triedTurnsAtOnce(t) ? t.surfaces().find((event) => isAfter(event, invoked(t))) : undefined,
    atAll: invoked,
    serial: takesOneAtATime,
    otherwise: 'saw no invocation of the tool',
  },
  diagram: {
    lanes: ['user', 'runtime', 'model', 'tool'],
    implementation: 'runtime',
    user: 'user',
    announcements: ['ask', 'say', 'deliver', 'model-asked', 'model-called'],
    channels: {
      callback: { from: 'tool', to: 'runtime', stimulus: true },
      message: { from: 'user', to: 'runtime', stimulus: true },
      browser: { from: 'user', to: 'tool' },
      discovery: { from: 'runtime', to: 'tool' },
      invocation: { from: 'runtime', to: 'tool' },
      notification: { from: 'runtime', to: 'tool' },
      model: { from: 'runtime', to: 'model' },
    },
  },
  reference: {
    name: 'reference RAP runtime',
    settings: () => ({
      ...conformance,
      target: {
        ...conformance.target,
        command: nodeProgram(new URL('reference/main.ts', import.meta.url)),
      },
    }),
  },
  configuration: runtimeConfiguration,
  start: {
    target: {
      command: ['node', 'server.js'],
      env: {
        PORT: '{port}',
        PUBLIC_URL: '{runtime.url}',
        TOOLSETS: '{toolset.url},{toolset2.url}',
        OPENAI_BASE_URL: '{model.url}',
        OPENAI_API_KEY: '{model.key}',
        MODEL: '{model.name}',
        DATA_DIR: '{data.dir}',
      },
    },
    messages: {
      http: { path: '/message', body: { conversation: '{conversation}', text: '{text}' } },
    },
    surface: [{ poll: { path: '/conversations/{conversation}' } }],
  },
  placeholders: {
    ...ownPlaceholders,
    'runtime.url': 'http://127.0.0.1:{port}',
    'toolset.url': 'a RAP toolset with one tool',
    'toolset2.url': 'another one',
    'model.url': 'base URL, with /v1, of a model that speaks the wire formats of OpenAI',
    'model.origin': 'the same without /v1, for clients of Anthropic',
    'model.key': 'a key for it; any is taken',
    'model.name': 'a name of a model; any is taken',
    'webhook.url': 'takes what is posted for the user, where surface has {"webhook": true}',
    'user.timeoutMs': 'the declared userTimeout where it is tested, else a long one; milliseconds',
  },
  declared: declaredBy,
  open: async (options) => (await import('./test-bed.ts')).openTestBed(options),
}
