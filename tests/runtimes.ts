/** Configurations of runtimes under `tests/implementations`, which know nothing of our code. */

import { fileURLToPath } from 'node:url'
import { implementation } from './run-cli.ts'

const env = {
  PORT: '{port}',
  PUBLIC_URL: '{runtime.url}',
  TOOLSETS: '{toolset.url},{toolset2.url}',
  MODEL_BASE_URL: '{model.url}',
  MODEL_API_KEY: '{model.key}',
  MODEL_NAME: '{model.name}',
}

const messages = {
  http: { path: '/message', body: { conversation: '{conversation}', text: '{text}' } },
}

/** As RAP's minimal example: nothing of the OAuth chapter is handled. */
export const minimalRuntime = {
  profile: 'rap-oauth/runtime',
  implementation: { name: 'minimal-runtime' },
  target: { command: [process.execPath, implementation('minimal-runtime/server.mjs')], env },
  messages,
  surface: [{ poll: { path: '/replies/{conversation}' } }],
  declares: { surfaceWithin: '2s' },
}

/** What is no runtime at all; `program` with its kind as the last argument. */
function nothing(kind: string, program: string) {
  return {
    ...minimalRuntime,
    implementation: { name: kind },
    target: {
      command: [process.execPath, implementation(program), kind],
      env,
      readyTimeout: '3s',
    },
    timing: { step: '3s' },
  }
}

/** What stops being a runtime: mute, no-tool, crash. */
export function brokenRuntime(kind: string) {
  return nothing(kind, 'broken-runtime/server.mjs')
}

/** A server that knows nothing of runtimes: 404, 401, 200, accept, exit ... */
export function silentRuntime(kind: string) {
  return nothing(kind, 'broken/silent.mjs')
}

/** A runtime with many faces, see its source: the habits that it is to have, and where its users look. */
export function variantRuntime(variant: string, surface: Readonly<Record<string, unknown>>) {
  const adapted = variant.includes('adapter')
  return {
    profile: 'rap-oauth/runtime',
    implementation: { name: variant },
    target: {
      command: [process.execPath, implementation('runtime-variants/server.mjs')],
      env: {
        ...env,
        VARIANT: variant,
        MODEL_ORIGIN: '{model.origin}',
        WEBHOOK_URL: '{webhook.url}',
        DATA_DIR: '{data.dir}',
        CALL_TIMEOUT_MS: '{user.timeoutMs}',
      },
    },
    messages: adapted
      ? { adapter: true }
      : {
          http: {
            path: '/message',
            body: { conversation: '{conversation}', user: '{user}', text: '{text}' },
          },
        },
    surface: [surface],
    declares: adapted
      ? { userTimeout: '10m', cancel: { adapter: true } }
      : {
          userTimeout: '3s',
          cancel: { http: { path: '/cancel/{conversation}' } },
          storage: [{ command: ['cat', '{data.dir}/state.json'] }],
        },
  }
}

/** The reference runtime on a console: what its user types, and what it prints. */
export const consoleRuntime = {
  profile: 'rap-oauth/runtime',
  implementation: { name: 'reference runtime on a console' },
  target: {
    command: [process.execPath, inPackage('dist/reference/rap-runtime/main.js')],
    env: { ...env, DATA_DIR: '{data.dir}', CALL_TIMEOUT_MS: '{user.timeoutMs}', CONSOLE: '1' },
  },
  messages: { stdin: true },
  surface: [{ output: true }],
  declares: { durable: true, storage: ['{data.dir}'] },
}

/** The reference runtime behind an adapter in Python: no configuration of ours reaches it directly. */
export const adaptedRuntime = {
  profile: 'rap-oauth/runtime',
  implementation: { name: 'adapted reference runtime' },
  target: {
    command: [
      'python3',
      inPackage('reference/rap-runtime-adapter-python/adapter.py'),
      process.execPath,
      inPackage('dist/reference/rap-runtime/main.js'),
    ],
  },
  messages: { adapter: true },
  surface: [{ adapter: true }],
  declares: {
    durable: true,
    userTimeout: '3s',
    cancel: { adapter: true },
    storage: [{ adapter: true }],
  },
}

/** Settings for a runtime behind any program. */
export function adaptedBy(...command: string[]) {
  return { ...adaptedRuntime, target: { command, readyTimeout: '3s' } }
}

function inPackage(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url))
}
