import { expect, test } from 'vitest'

import { readEnvironment } from './environment.ts'

const minimal = {
  TOOLSETS: 'https://tool.example, http://127.0.0.1:8080/rap',
  MODEL_NAME: 'gpt',
  DATA_DIR: '/var/lib/rap-runtime',
}

test('needs three variables and assumes the rest', () => {
  const read = readEnvironment({ ...minimal, MODEL_API_KEY: '' })
  if (!read.ok) throw new Error(read.problems.join())
  expect(read.value).toMatchObject({ port: 0, host: '127.0.0.1', console: false })
  expect(read.value.configFor('http://127.0.0.1:1234')).toEqual({
    publicUrl: 'http://127.0.0.1:1234',
    toolsets: ['https://tool.example', 'http://127.0.0.1:8080/rap'],
    modelBaseUrl: 'https://api.openai.com/v1',
    modelName: 'gpt',
    dataDir: '/var/lib/rap-runtime',
  })
})

test('takes the rest', () => {
  const read = readEnvironment({
    ...minimal,
    PUBLIC_URL: 'https://agent.example',
    MODEL_API_KEY: 'key',
    CALL_TIMEOUT_MS: '1000',
    TOOL_HEADERS: '{"Authorization":"Bearer x"}',
  })
  if (!read.ok) throw new Error(read.problems.join())
  expect(read.value.configFor('http://127.0.0.1:1234')).toMatchObject({
    publicUrl: 'https://agent.example',
    modelApiKey: 'key',
    callTimeoutMs: 1000,
    toolHeaders: { authorization: 'Bearer x' },
  })
})

test('names every problem and no value', () => {
  const read = readEnvironment({
    PORT: 'http',
    PUBLIC_URL: 'agent.example/?secret',
    TOOLSETS: 'https://tool.example,,',
    CALL_TIMEOUT_MS: '-1',
    TOOL_HEADERS: '{"a b":"secret"}',
    CONSOLE: 'yes',
  })
  expect(read).toEqual({
    ok: false,
    problems: [
      'PORT must be 0 to 65535',
      'PUBLIC_URL must be an http or https URL without query and fragment',
      'TOOLSETS must be http or https URLs, separated by commas',
      'MODEL_NAME is required',
      'DATA_DIR is required',
      'CALL_TIMEOUT_MS must be a whole number of milliseconds',
      'TOOL_HEADERS must be a JSON object of HTTP headers',
      'CONSOLE must be 0 or 1',
    ],
  })
})
