/** Runtimes that others wrote from RAP's pages alone, each as unlike the others as RAP allows, and with violations. */

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { implementation } from './run-cli.ts'

const env = {
  PORT: '{port}',
  PUBLIC_URL: '{runtime.url}',
  MODEL: '{model.name}',
  DATA_DIR: '{data.dir}',
  TOOL_TIMEOUT_MS: '{user.timeoutMs}',
}

interface Independent {
  /** What has to be installed, as a command that shows it. */
  readonly needs: readonly [string, ...string[]]
  /** Builds it into a folder, where that has to be done, and gives its command. */
  readonly build: (folder: string) => readonly string[]
  readonly settings: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string>>
  /** What its author did wrong on purpose, the scenario that shows it, and the requirement. */
  readonly violations: readonly (readonly [violation: string, scenario: string, broken: string])[]
}

/** SQLite, pages that are held, OpenAI's responses; one call at a time, and messages interrupt. */
const python: Independent = {
  needs: ['python3', '--version'],
  build: () => ['python3', implementation('python-runtime/runtime.py')],
  env: {
    ...env,
    TOOLSETS: '{toolset.url},{toolset2.url}',
    OPENAI_BASE_URL: '{model.url}',
    OPENAI_API_KEY: '{model.key}',
    FRONT_KEY: 'front-key-for-the-test',
    INTERRUPT: '1',
    PYTHONDONTWRITEBYTECODE: '1',
  },
  settings: {
    target: { headers: { 'x-front-key': 'front-key-for-the-test' } },
    messages: {
      http: {
        path: '/talk/{conversation}',
        body: { who: '{user}', say: '{text}', consent: true },
      },
    },
    surface: [{ poll: { path: '/talk/{conversation}?who={user}&hold=700' } }],
    declares: {
      cancel: { http: { path: '/talk/{conversation}/interrupt', body: { who: '{user}' } } },
    },
  },
  violations: [
    ['user-of-last-speaker', 'user-identity', 'user-id-of-own-user'],
    ['duplicates-known-in-memory', 'restart-after-completion', 'idempotent-duplicates'],
    ['error-keeps-link', 'cancelled-while-pending', 'discard-auth-url'],
  ],
}

/** An append-only log, server-sent events in odd frames, a thread below a thread for every conversation. */
const go: Independent = {
  needs: ['go', 'version'],
  build(folder) {
    const command = join(folder, 'go-runtime')
    execFileSync('go', ['build', '-o', command, '.'], { cwd: implementation('go-runtime') })
    return [command]
  },
  env: {
    ...env,
    TOOLSETS: '{toolset.url} {toolset2.url}',
    MODEL_URL: '{model.url}',
    MODEL_KEY: '{model.key}',
    CONSENT: 'standing',
  },
  settings: {
    messages: {
      http: {
        method: 'PUT',
        path: '/c/{conversation}/say',
        body: { from: '{user}', say: ['{text}'] },
      },
    },
    surface: [{ sse: { path: '/c/{conversation}/feed?as={user}' } }],
    declares: {
      cancel: { http: { method: 'DELETE', path: '/c/{conversation}/calls?as={user}' } },
    },
  },
  violations: [
    ['replay-buffer', 'reopened-after-completion', 'discard-auth-url'],
    ['user-prefix', 'users-alike', 'surface-to-own-user'],
    ['notification-retried', 'cancellation-not-taken', 'notification-not-retried'],
  ],
}

/** A console; JSON with every escape, chunks, a group for every call, Anthropic's messages, a file as its store. */
const rust: Independent = {
  needs: ['cargo', '--version'],
  build(folder) {
    const args = ['build', '--release', '--locked', '--quiet', '--target-dir', folder]
    execFileSync('cargo', args, { cwd: implementation('rust-runtime') })
    return [join(folder, 'release/runtime-rust')]
  },
  env: {
    ...env,
    TOOLSETS: '{toolset.url} {toolset2.url}',
    MODEL_ORIGIN: '{model.origin}',
    MODEL_KEY: '{model.key}',
    CONSENT: 'everything',
    CONTROL_KEY: 'let-me-stop-it',
  },
  settings: {
    target: { headers: { authorization: 'Bearer let-me-stop-it' } },
    messages: { stdin: true },
    surface: [{ output: true }],
    declares: { cancel: { http: { path: '/interruption' } } },
  },
  violations: [
    ['resend-late-ack', 'callback-before-acknowledgement', 'no-invocation-retry'],
    ['url-in-timeout-error', 'cancelled-while-pending', 'discard-auth-url'],
    ['three-byte-utf8', 'unicode-result', 'deliver-result'],
  ],
}

/** WebSockets, OpenAI's responses with nothing but what is new, an encrypted store, one callback URL for everything. */
const node: Independent = {
  needs: ['node', '--version'],
  build: () => ['node', implementation('node-runtime/runtime.mjs')],
  env: {
    ...env,
    TOOLSETS: '["{toolset.url}","{toolset2.url}"]',
    MODEL_URL: '{model.url}',
    MODEL_KEY: '{model.key}',
  },
  settings: {
    // Its report of a call that was refused is waited for in vain, though it is judged.
    timing: { step: '10s', maxWait: '15s', grace: '10s' },
    messages: { http: { method: 'PUT', path: '/t/{conversation}', body: '{user}\n{text}' } },
    surface: [{ websocket: { path: '/?t={conversation}&u={user}' } }],
    declares: { cancel: { http: { method: 'DELETE', path: '/t/{conversation}' } } },
  },
  violations: [
    ['closes-with-socket', 'user-leaves-while-pending', 'keep-call-pending'],
    ['empty-text-is-none', 'empty-result', 'deliver-result'],
    ['limit-of-100-kb', 'large-result', 'accept-valid-callback'],
  ],
}

/** Gemini's wire, which has no ids; a call is in the history once it has a result, and what is shown is handed out once. */
const java: Independent = {
  needs: ['javac', '-version'],
  build(folder) {
    const sources = ['java-tool/Json.java', 'java-runtime/RapRuntime.java'].map(implementation)
    execFileSync('javac', ['-d', folder, ...sources])
    return ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', folder, 'RapRuntime']
  },
  env: {
    ...env,
    TOOLSETS: '{toolset.url} {toolset2.url}',
    MODEL_ORIGIN: '{model.origin}',
    MODEL_KEY: '{model.key}',
  },
  settings: {
    messages: { http: { path: '/g/{conversation}/{user}', body: '{text}' } },
    surface: [{ poll: { path: '/g/{conversation}/{user}' } }],
    declares: { cancel: { http: { method: 'DELETE', path: '/g/{conversation}/{user}' } } },
  },
  violations: [
    ['link-waits-for-late-viewer', 'over-while-away', 'discard-auth-url'],
    ['asked-before-restart-only', 'asked-after-restart', 'pending-survives-restart'],
    ['images-refused', 'large-result', 'accept-valid-callback'],
    ['cancelled-when-tools-know', 'cancellation-never-answered', 'cancellation-not-blocked'],
  ],
}

export const independentRuntimes = { python, go, rust, node, java } as const

export function isInstalled({ needs: [command, ...args] }: Independent): boolean {
  return spawnSync(command, args).status === 0
}

/** Its configuration, with a violation or none. */
export function configurationOf(
  { settings, env }: Independent,
  command: readonly string[],
  violation = '',
) {
  const { target, declares, ...rest } = settings as Record<string, Record<string, unknown>>
  return {
    profile: 'rap-oauth/runtime',
    implementation: { name: `independent runtime ${violation}` },
    timing: { step: '20s', maxWait: '60s', grace: '20s' },
    ...rest,
    target: { ...target, command, env: { ...env, VIOLATION: violation } },
    declares: {
      durable: true,
      userTimeout: '8s',
      surfaceWithin: '30s',
      storage: ['{data.dir}'],
      ...declares,
    },
  }
}

/** A folder that outlives the test, so that what was built once is known. */
export function buildFolder(): string {
  return mkdtempSync(join(tmpdir(), 'aoc-independent-'))
}
