/** What its author tells a conformance run of this runtime: its environment, how it is spoken to, what it declares. */

export const conformance = {
  target: {
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
}
