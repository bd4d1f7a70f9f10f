/** Certifies the bundled reference runtime, from its source, inside vitest: the profile's own way in for test runners. */

import { fileURLToPath } from 'node:url'
import { conformance } from '../../conformance.ts'

const main = fileURLToPath(new URL('../../../reference/rap-runtime/main.ts', import.meta.url))

conformance('rap-oauth/runtime', {
  implementation: { name: 'reference runtime, from its source' },
  target: {
    command: [process.execPath, '--import', import.meta.resolve('jiti/register'), main],
    env: {
      PORT: '{port}',
      PUBLIC_URL: '{runtime.url}',
      TOOLSETS: '{toolset.url},{toolset2.url}',
      MODEL_BASE_URL: '{model.url}',
      MODEL_API_KEY: '{model.key}',
      MODEL_NAME: '{model.name}',
      DATA_DIR: '{data.dir}',
      CALL_TIMEOUT_MS: '{user.timeoutMs}',
    },
    readyTimeout: '60s',
  },
  messages: {
    http: {
      path: '/conversations/{conversation}/messages',
      body: { text: '{text}', user_id: '{user}' },
    },
  },
  surface: [{ sse: { path: '/conversations/{conversation}/stream' } }],
  declares: {
    durable: true,
    userTimeout: '3s',
    cancel: { http: { path: '/conversations/{conversation}/cancel' } },
    storage: ['{data.dir}'],
  },
})
