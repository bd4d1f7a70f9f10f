/** What `aoc run` says about parties of MCP that were written from the documents alone, in lawful and unusual ways. */

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { certify, implementation, requirementsWith, scratch } from './run-cli.ts'

type Configuration = Readonly<Record<string, unknown>>

/** What it does wrong, the scenarios that are tried for it, and the requirement that it breaks. */
type Flaw = readonly [flaw: string, filters: string, broken: string]

interface Independent {
  readonly needs: readonly [program: string, argument: string]
  readonly configure: (command: readonly string[], flaw: string) => Configuration
  /** Of a program in Go the folder, else the command. */
  readonly program: string
  readonly flaws: readonly Flaw[]
}

const scoped = (profile: string, name: string, command: readonly string[], env: object) => ({
  profile,
  implementation: { name },
  target: { command, env },
  // They take their time, and the machine may be busy.
  timing: { step: '15s', maxWait: '60s' },
})

const provided = {
  PORT: '{port}',
  PUBLIC_URL: '{server.url}',
  OAUTH_ISSUER: '{provider.issuer}',
  OAUTH_CLIENT_ID: '{provider.clientId}',
  OAUTH_CLIENT_SECRET: '{provider.clientSecret}',
}

/** Event streams with odd frames, a list of challenges in one text, metadata at a path of its own. */
const challengeServer: Independent = {
  needs: ['go', 'version'],
  program: 'go-challenge-server',
  configure(command, FLAW) {
    const { target, ...rest } = scoped(
      'mcp-auth-challenge/server',
      'go-challenge-server',
      command,
      {
        ...provided,
        FLAW,
      },
    )
    return {
      ...rest,
      target: { ...target, endpoint: '/tenants/acme~1/mcp;v=1' },
      provider: { tokenFormat: 'jwt' },
      tool: { name: 'list_notes' },
      declares: { scopes: ['notes:read'], modern: true },
    }
  },
  flaws: [
    ['caches-by-claims', 'token-altered-after-use', 'enforce'],
    ['session-remembers', 'token-left-out', 'enforce'],
    ['audience-prefix', 'token-similar-audience', 'enforce'],
    ['issuer-prefix', 'token-other-tenant', 'enforce'],
    ['leaks-structured', 'challenged-then-served', 'enforce'],
    ['scope-prefix', 'small-scope', 'scope-challenge'],
    ['forwarded-prefix', 'forged-x-forwarded-prefix', 'not-misleading'],
    ['resource-sibling', 'challenged-then-served', 'metadata-covers-endpoint'],
    ['no-result-type', 'modern', 'result-type'],
    ['error-first', 'challenged-then-served', 'no-error-code'],
  ],
}

/** Chunked bodies, ids that are texts, a listener at `::1` whose redirect URI has a query, a registration per flow. */
const challengeClient: Independent = {
  needs: ['python3', '--version'],
  program: 'python-challenge-client/client.py',
  configure: (command, FLAW) => ({
    ...scoped(
      'mcp-auth-challenge/client',
      'python-challenge-client',
      [...command, '{mcp.url}', '{mcp.url2}'],
      { FLAW, PYTHONDONTWRITEBYTECODE: '1' },
    ),
    drive: { terminal: { call: 'call {tool} {arguments}' } },
  }),
  flaws: [
    ['first-element', 'list', 'accept-list'],
    ['changed-arguments', 'array', 'retry-with-token'],
    ['flag-ignored', 'no-error-flag', 'require-error-flag'],
    ['issuer-ignored', 'issuer-of-another', 'validate-metadata-issuer'],
    ['resource-origin', 'resource-beside', 'validate-resource'],
    ['resource-prefix', 'resource-begins-alike', 'validate-resource'],
    ['pkce-unverified', 'pkce-not-advertised', 'verify-pkce-support'],
    ['no-resource-at-token', 'array', 'resource-parameter'],
    ['iss-optional', 'issuer-missing', 'validate-issuer'],
  ],
}

/** Asks on the stream of GET, offers places for every kind of client, tells users apart by introspection. */
const delegatedServer: Independent = {
  needs: ['python3', '--version'],
  program: 'options-delegated-server/server.py',
  configure(command, FLAW) {
    const { target, ...rest } = scoped(
      'mcp-delegated-authorization/server',
      'options-delegated-server',
      command,
      {
        ...provided,
        REDIRECT_URI: '{redirect.url}',
        API_URL: '{resource.url}',
        DATA_DIR: '{data.dir}',
        PENDING: '{pendingTimeoutMs}',
        PROTECTED: '1',
        PYTHONDONTWRITEBYTECODE: '1',
        FLAW,
      },
    )
    const redirectUris = ['http://127.0.0.1:8976/callback', 'com.example.items://oauth/callback']
    return {
      ...rest,
      target: { ...target, authorization: true },
      provider: { client: { redirectUris } },
      tool: { name: 'list_items' },
      declares: { scopes: ['items:read'], pendingTimeout: '15s', refreshLeeway: '60s' },
    }
  },
  flaws: [
    ['asks-anybody', 'no-capability', 'gate-capability'],
    ['base-host-prefix', 'callback-on-another-host', 'refuse-unregistered'],
    ['base-path-prefix', 'callback-on-another-path', 'refuse-unregistered'],
    ['redeems-with-first', 'second-option', 'redeem-selected'],
    ['static-state', 'authorization-requests-compared', 'state-unpredictable'],
    ['static-verifier', 'authorization-requests-compared', 'pkce-s256'],
    ['issuer-optional', 'issuer-missing', 'validate-issuer'],
    ['takes-any-token', 'exchange-token-null-access-token', 'token-is-text'],
  ],
}

/** Reconnects, answers in chunks, sends the browser on with 303, and talks German in boxes. */
const delegatedClient: Independent = {
  needs: ['go', 'version'],
  program: 'go-delegated-client',
  configure: (command, FLAW) => ({
    ...scoped('mcp-delegated-authorization/client', 'go-delegated-client', command, {
      MCP_SERVERS: '{"{mcp.name}": {"url": "{mcp.url}"}}',
      FLAW,
    }),
    drive: {
      terminal: {
        call: '/run {tool} {arguments}',
        prompt: 'Weiter? (ja/nein) ',
        accept: 'ja',
        decline: 'nein',
      },
    },
  }),
  flaws: [
    ['remembers-host', 'asked-again', 'consent-before-opening'],
    ['shows-client-host', 'approve', 'show-domain'],
    ['declines-with-null', 'decline', 'decline-empty'],
    ['looks-first', 'approve', 'no-own-request'],
    ['drops-extras', 'odd-callback', 'callback-exact'],
    ['denial-as-decline', 'denied', 'provider-error-returned'],
    ['state-optional', 'stray-without-state', 'validate-callback'],
    ['state-begins', 'stray-callbacks', 'validate-callback'],
    ['state-any-case', 'stray-callbacks', 'validate-callback'],
    ['error-unchecked', 'stray-errors', 'validate-callback'],
    ['last-option', 'options-', 'first-option'],
    ['own-port', 'fixed-port', 'no-substitution'],
  ],
}

/** Any number of questions at a time behind an adapter, ids that are texts, a connection of its own for a retry. */
const elicitationClient: Independent = {
  needs: ['go', 'version'],
  program: 'go-elicitation-client',
  configure: (command, FLAW) => ({
    ...scoped('mcp-url-elicitation/client', 'go-elicitation-client', command, { FLAW }),
    drive: { adapter: true },
    declares: { modern: true },
  }),
  flaws: [
    ['shows-200-letters', 'accept', 'show-full-url'],
    ['drops-fragment', 'accept', 'open-exact-url'],
    ['encodes-anew', 'accept', 'open-exact-url'],
    ['lists-bad-schemes', 'unsafe-url-program', 'refuse-unsafe-url'],
    ['answers-latest', 'two-at-once', 'accept-after-consent'],
    ['completes-anything', 'required-error-complete-unknown', 'ignore-unknown-complete'],
    ['completes-in-any-case', 'required-error-complete-unknown', 'ignore-unknown-complete'],
    ['completes-by-beginning', 'required-error-complete-unknown', 'ignore-unknown-complete'],
    ['shortens-state', 'modern', 'echo-state'],
    ['repeats-without-arguments', 'modern', 'repeat-request'],
    ['keys-in-lower-case', 'modern', 'answer-keys'],
  ],
}

const independent = {
  challengeServer,
  challengeClient,
  delegatedServer,
  delegatedClient,
  elicitationClient,
}

describe.each(Object.entries(independent))('%s', (_, { needs, program, configure, flaws }) => {
  const [command, argument] = needs
  const isThere = has(command, argument)
  const built = isThere ? build(program) : []

  test.runIf(isThere)('the correct one is conformant', { timeout: 300_000 }, async () => {
    const { code, record } = await certify(configure(built, ''))
    expect({
      fail: requirementsWith(record, 'fail'),
      warn: requirementsWith(record, 'warn'),
      code,
    }).toEqual({ fail: [], warn: [], code: 0 })
  })

  test.runIf(isThere).each(flaws)(
    '%s is found',
    { timeout: 180_000 },
    async (flaw, filter, broken) => {
      const { record } = await certify(configure(built, flaw), { args: ['--filter', filter] })
      const found = [...requirementsWith(record, 'fail'), ...requirementsWith(record, 'warn')]
      expect(found).toContain(broken)
    },
  )
})

function has(program: string, argument: string): boolean {
  try {
    execFileSync(program, [argument], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function build(program: string): readonly string[] {
  if (program.endsWith('.py')) return ['python3', implementation(program)]
  const command = join(scratch(), program)
  execFileSync('go', ['build', '-o', command, '.'], { cwd: implementation(program) })
  return [command]
}
