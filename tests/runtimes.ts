/** Configurations of runtimes under `tests/implementations`, which know nothing of our code. */

import { fileURLToPath } from 'node:url'
import { implementation } from './run-cli.ts'

/** For runtimes that are right: they answer as soon as they can, on a busy machine too. */
const patient = { timing: { step: '60s', maxWait: '120s' } }
const patience = { surfaceWithin: '60s' }

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

const asShown = { messages, surface: [{ poll: { path: '/shown/{conversation}' } }] }

/** In Python, written in an afternoon. */
export const sloppyRuntime = {
  profile: 'rap-oauth/runtime',
  implementation: { name: 'sloppy-runtime' },
  target: { command: ['python3', implementation('sloppy-runtime/runtime.py')], env },
  ...asShown,
}

/** What a tool sends goes to whoever spoke last. */
export const crossedRuntime = {
  profile: 'rap-oauth/runtime',
  implementation: { name: 'crossed-runtime' },
  target: { command: [process.execPath, implementation('crossed-runtime/server.mjs')], env },
  ...asShown,
}

/** What is no runtime at all; `program` with its kind. */
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
    ...patient,
    surface: [surface],
    declares: adapted
      ? { ...patience, userTimeout: '10m', cancel: { adapter: true } }
      : {
          ...patience,
          userTimeout: '3s',
          cancel: { http: { path: '/cancel/{conversation}' } },
          storage: [{ command: ['cat', '{data.dir}/state.json'] }],
        },
  }
}

/** The reference runtime behind an adapter in Python: no configuration of ours reaches it directly. */
export const adaptedRuntime = {
  profile: 'rap-oauth/runtime',
  implementation: { name: 'adapted reference runtime' },
  target: {
    command: [
      'python3',
      inPackage('suites/rap-oauth/runtime/reference-adapter-python/adapter.py'),
      process.execPath,
      inPackage('dist/suites/rap-oauth/runtime/reference/main.js'),
    ],
  },
  ...patient,
  messages: { adapter: true },
  surface: [{ adapter: true }],
  declares: {
    ...patience,
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
