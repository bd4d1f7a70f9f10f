/** Configurations of the implementations under `tests/implementations`, which know nothing of our code. */

import { fileURLToPath } from 'node:url'
import { conformance } from '../suites/rap-oauth/tool/reference/conformance.ts'
import { implementation } from './run-cli.ts'

/** The reference tool, which every request reaches only after a second. */
export const slowTool: Configuration = {
  ...conformance,
  profile: 'rap-oauth/tool',
  implementation: { name: 'slow tool' },
  target: {
    ...conformance.target,
    command: [
      process.execPath,
      '--import',
      implementation('delayed/delay.mjs'),
      fileURLToPath(new URL('../dist/suites/rap-oauth/tool/reference/main.js', import.meta.url)),
    ],
    env: { ...conformance.target.env, DELAY_MS: '1000', PENDING_TIMEOUT_MS: '10000' },
  },
  declares: { ...conformance.declares, pendingTimeout: '10s' },
}

type Configuration = Readonly<Record<string, unknown>>

const common = {
  PORT: '{port}',
  DATA_DIR: '{data.dir}',
  RESOURCE_URL: '{resource.url}',
  PENDING_TIMEOUT_MS: '{pendingTimeoutMs}',
  UPSTREAM_TIMEOUT_MS: '2000',
}

const configured = {
  ISSUER: '{provider.issuer}',
  AUTHORIZATION_ENDPOINT: '{provider.authorizationEndpoint}',
  TOKEN_ENDPOINT: '{provider.tokenEndpoint}',
  CLIENT_ID: '{provider.clientId}',
  CLIENT_SECRET: '{provider.clientSecret}',
  SCOPES: 'items:read items:write',
}

const node = (path: string, ...args: string[]): string[] => [
  process.execPath,
  implementation(path),
  ...args,
]

/** On a busy machine, too, users come in time. */
const patience = { pendingTimeout: '10s' }

function configuration(
  name: string,
  command: string[],
  env: Readonly<Record<string, string>>,
  more: { target?: object; declares?: object; provider?: object } = {},
): Configuration {
  return {
    profile: 'rap-oauth/tool',
    implementation: { name },
    target: { command, env: { ...common, ...env }, ...more.target },
    operation: { name: 'list_items', scopes: ['items:read'] },
    declares: { pendingTimeout: '4s', ...more.declares },
    ...(more.provider ? { provider: more.provider } : {}),
  }
}

/** No framework; manifest endpoint that cannot be reached; `content` results; everything sent twice or with extras. */
export const plainNode = configuration('plain-node', node('plain-node/server.mjs'), configured, {
  target: { endpoint: '/rap' },
  declares: { ...patience, tokenStore: ['{data.dir}/store'] },
})

/** Python; learns its provider from the API's 401, registers itself, pushes its requests, one flow per user. */
export const python = configuration(
  'python',
  ['python3', implementation('python/tool.py')],
  {},
  {
    declares: { ...patience, tokenStore: ['{data.dir}/store'] },
  },
)

/** Wants a credential of its own on invocations; base path; several callback paths; encrypted state. */
export const ownAuth = configuration(
  'own-auth',
  node('own-auth/server.mjs'),
  { ...configured, TOOL_KEY: '{env.TOOL_KEY}' },
  {
    target: {
      url: 'http://127.0.0.1:{port}/v1/toolset',
      headers: { authorization: 'Bearer {env.TOOL_KEY}' },
    },
    declares: { ...patience, tokenStore: ['{data.dir}/store'] },
  },
)

/** A redirect URI with a query of its own, different for every call. */
export const queryRedirect = configuration(
  'query-redirect',
  node('query-redirect/server.mjs'),
  configured,
  {
    declares: { ...patience, tokenStore: ['{data.dir}/records'] },
    provider: { redirectMatching: 'ignore-query' },
  },
)

export const expressStyle = configuration(
  'express-style',
  node('broken/express-style.mjs'),
  configured,
  {
    declares: { tokenStore: ['{data.dir}'] },
    provider: { redirectMatching: 'ignore-query' },
  },
)

export const leaky = configuration('leaky', node('broken/leaky.mjs'), configured, {
  declares: patience,
})

export const crossed = configuration('crossed', node('broken/crossed.mjs'), configured, {
  declares: patience,
})

export const blocking = configuration('blocking', node('broken/blocking.mjs'), configured)

/** A server that is no tool at all: 404, 401, 200, accept, exit, garbage, slow ... */
export function silent(mode: string): Configuration {
  return configuration(`silent ${mode}`, node('broken/silent.mjs', mode), configured)
}
