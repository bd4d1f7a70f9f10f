/**
 * Tools in other languages, written by others from RAP's pages alone; built on demand, where their toolchain is there. The
 * variable `VIOLATION` makes each of them break one rule of its author's choice.
 */

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { implementation, scratch } from '../run-cli.ts'

type Configuration = Readonly<Record<string, unknown>>

export interface IndependentTool {
  readonly language: string
  readonly configuration: Configuration
  /** What of the suite concerns it, as arguments of the command line; default: everything. */
  readonly args?: readonly string[]
}

const common = {
  PORT: '{port}',
  PUBLIC_URL: '{tool.url}',
  OAUTH_ISSUER: '{provider.issuer}',
  DATA_DIR: '{data.dir}',
  VIOLATION: '{env.VIOLATION}',
}

const client = {
  OAUTH_CLIENT_ID: '{provider.clientId}',
  OAUTH_CLIENT_SECRET: '{provider.clientSecret}',
}

const declares = (pendingTimeout: string) => ({ pendingTimeout, tokenStore: ['{data.dir}'] })

/** Registers itself, pushes its requests, shares flows and four workers; SQLite, HTTP/1.0. */
export function python(): IndependentTool {
  run('python3', ['-c', 'import cryptography, sqlite3'])
  return {
    language: 'Python',
    configuration: {
      profile: 'rap-oauth/tool',
      implementation: { name: 'python-tool' },
      target: {
        command: ['python3', implementation('python-tool/tool.py')],
        env: {
          ...common,
          RESOURCE_URL: '{resource.url}',
          STORE_KEY: 'only-for-the-conformance-run',
          PENDING_TIMEOUT_MS: '{pendingTimeoutMs}',
          UPSTREAM_TIMEOUT_MS: '3000',
        },
      },
      operation: { name: 'list_items', scopes: ['items:read'] },
      timing: { concurrency: 4 },
      declares: declares('10s'),
    },
  }
}

/** Every request by curl; another host name for its redirect; slow to start; an unusual HTTP and JSON. */
export function pythonByCurl(): IndependentTool {
  run('python3', ['-c', 'import cryptography, sqlite3'])
  run('curl', ['--version'])
  const { PORT, DATA_DIR, VIOLATION } = common
  return {
    language: 'Python by curl',
    configuration: {
      profile: 'rap-oauth/tool',
      implementation: { name: 'curl-tool' },
      target: {
        url: 'http://127.0.0.1:{port}/svc',
        command: ['python3', implementation('curl-tool/tool.py')],
        env: {
          PORT,
          DATA_DIR,
          VIOLATION,
          ISSUER: '{provider.issuer}',
          API: '{resource.url}',
          CLIENT_ID: '{provider.clientId}',
          CLIENT_SECRET: '{provider.clientSecret}',
          PENDING_TIMEOUT_MS: '{pendingTimeoutMs}',
          TOOL_KEY: 'only-for-the-conformance-run',
        },
      },
      operation: { name: 'liste', scopes: ['items:read'] },
      timing: { concurrency: 4 },
      declares: { ...declares('12s'), refreshLeeway: '1s' },
    },
  }
}

/** The standard library alone: no metadata, a spool of sealed files, a slow acknowledgement, content in parts, redirects. */
export function pythonSpool(): IndependentTool {
  run('python3', ['-c', 'import ssl'])
  const { PORT, PUBLIC_URL, OAUTH_ISSUER, DATA_DIR } = common
  return {
    language: 'Python without packages',
    configuration: {
      profile: 'rap-oauth/tool',
      implementation: { name: 'python-spool' },
      target: {
        command: ['python3', implementation('python-spool/tool.py')],
        env: {
          PORT,
          PUBLIC_URL,
          OAUTH_ISSUER,
          DATA_DIR,
          ...client,
          AUTHORIZE_URL: '{provider.authorizationEndpoint}',
          TOKEN_URL: '{provider.tokenEndpoint}',
          RESOURCE_URL: '{resource.url}',
          PENDING_TIMEOUT_MS: '{pendingTimeoutMs}',
        },
      },
      operation: { name: 'list_items', scopes: ['items:read'] },
      timing: { concurrency: 4 },
      declares: { ...declares('9s'), anonymous: false },
    },
  }
}

/** A process per request and per step, a key instead of a secret, escapes in all JSON, chunks to its runtime, text pages. */
export function perl(): IndependentTool {
  run('perl', ['-MIO::Socket::SSL', '-MHTTP::Tiny', '-e', '1'])
  run('openssl', ['version'])
  const { PORT, DATA_DIR, VIOLATION } = common
  const sealed = ['in', 'work', 'waiting', 'tokens'].map((folder) => `{data.dir}/${folder}`)
  return {
    language: 'Perl',
    configuration: {
      profile: 'rap-oauth/tool',
      implementation: { name: 'perl-tool' },
      target: {
        command: ['perl', implementation('perl-tool/tool.pl')],
        env: {
          PORT,
          DATA_DIR,
          VIOLATION,
          ISSUER: '{provider.issuer}',
          API: '{resource.url}',
          PENDING_TIMEOUT_MS: '{pendingTimeoutMs}',
          TOOL_KEY: 'only-for-the-conformance-run',
        },
      },
      operation: { name: 'Posten-Liste_2', scopes: ['items:read'] },
      timing: { concurrency: 4 },
      declares: { pendingTimeout: '12s', tokenStore: sealed },
    },
  }
}

/** Two redirect URIs in turn, two requests per operation, a log of encrypted records, a bearer for its runtime. */
export function go(): IndependentTool {
  const program = join(scratch(), 'go-tool')
  run('go', ['build', '-ldflags=-s -w', '-o', program, '.'], implementation('go-tool'))
  const key = 'runtime-key-of-the-test-run'
  const route = (path: string) => ({ method: 'GET', path, scope: 'items:read' })
  return {
    language: 'Go',
    configuration: {
      profile: 'rap-oauth/tool',
      implementation: { name: 'go-tool' },
      target: {
        command: [program],
        headers: { authorization: `Bearer ${key}` },
        env: {
          ...common,
          ...client,
          API_URL: '{resource.url}',
          STORE_KEY: 'a-passphrase-for-the-test-run-only',
          RAP_TOKEN: key,
          PENDING_MS: '{pendingTimeoutMs}',
        },
      },
      provider: {
        client: {
          redirectUris: ['even', 'odd'].map((way) => `http://127.0.0.1:1/back/${way}`),
        },
        resources: [route('/items'), route('/account')],
      },
      operation: { name: 'list_items', scopes: ['items:read'] },
      timing: { concurrency: 4 },
      declares: declares('8s'),
    },
  }
}

/** Messages in HTTP/1.0 and in small chunks; acknowledgements that end late; states that are JWTs; words in Spanish. */
export function goFerry(): IndependentTool {
  const program = join(scratch(), 'go-ferry-tool')
  run('go', ['build', '-ldflags=-s -w', '-o', program, '.'], implementation('go-ferry-tool'))
  return {
    language: 'Go, in Spanish',
    configuration: {
      profile: 'rap-oauth/tool',
      implementation: { name: 'go-ferry-tool' },
      target: {
        command: [program],
        env: {
          ...common,
          ...client,
          API_URL: '{resource.url}',
          PENDING_MS: '{pendingTimeoutMs}',
        },
      },
      operation: { name: 'listar_cosas', scopes: ['items:read'] },
      timing: { concurrency: 4 },
      declares: declares('8s'),
    },
  }
}

/** State as an encrypted token, verifier derived from it, compressed pages; the oauth message takes three seconds. */
export function java(): IndependentTool {
  return javaTool(
    'Java',
    {},
    {
      provider: {
        scopes: ['katalog.lesen', 'items:read', 'items:write'],
        resources: [{ method: 'POST', path: '/katalog/abfrage', scope: 'katalog.lesen' }],
      },
    },
    'katalog.lesen',
  )
}

/** The same tool, whose API is the MCP server of the provider: what the API answers is what differs. */
export function javaOverMcp(): IndependentTool {
  const env = { MCP_TOOL: 'get_items', SCOPE_READ: 'items:read' }
  const scenarios = ['authorize-and-complete', 'stored-token', 'retry-', 'resource-held-back']
  const more = ['access-token-expired', 'refresh-at-once', 'grant-revoked', 'twenty-users-at-once']
  const args = [...scenarios, ...more].flatMap((scenario) => ['--filter', scenario])
  return { ...javaTool('Java over MCP', env, {}, 'items:read'), args }
}

function javaTool(
  language: string,
  env: Readonly<Record<string, string>>,
  more: Configuration,
  scope: string,
): IndependentTool {
  const classes = scratch()
  const sources = ['Json', 'Net', 'Tool'].map((name) => implementation(`java-tool/${name}.java`))
  run('javac', ['-d', classes, ...sources])
  const key = 'runtime-key-of-the-test-run'
  return {
    language,
    configuration: {
      profile: 'rap-oauth/tool',
      implementation: { name: 'java-tool' },
      target: {
        command: ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', classes, 'Tool'],
        headers: { authorization: `Bearer ${key}` },
        env: {
          ...common,
          ...client,
          RESOURCE_URL: '{resource.url}',
          CA_FILE: '{ca.file}',
          PENDING_MS: '{pendingTimeoutMs}',
          RUNTIME_KEY: key,
          TOOL_KEY: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=',
          ...env,
        },
      },
      operation: {
        name: 'katalog-abfragen',
        arguments: { suchwort: 'Äpfel & Birnen', anzahl: 7 },
        scopes: [scope],
      },
      timing: { concurrency: 4 },
      declares: declares('9s'),
      ...more,
    },
  }
}

/** @throws when the program is not there, or fails */
function run(program: string, args: readonly string[], cwd?: string): void {
  const env = { ...process.env, CGO_ENABLED: '0' }
  execFileSync(program, [...args], { cwd, env, stdio: 'pipe', timeout: 120_000 })
}
