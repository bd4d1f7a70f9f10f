/** A client that is made to act through an adapter. */

import { Unreached, withoutEscapes } from '../../../harness/engine/index.ts'
import {
  AdapterFailure,
  carryOut,
  startAdapted,
  type Adapter,
  type AdapterOptions,
} from '../../../harness/parties/index.ts'
import { screen, type ClientInstance, type StartParts } from './instance.ts'

/** Starts the adapter, and the client behind it. @throws AdapterFailure */
export async function startAdaptedClient(
  parts: StartParts,
  settings: Readonly<Record<string, string>>,
  within: number,
): Promise<ClientInstance> {
  const { command, cwd, env, stopWithin, onPrompt, onOpened, onOutput } = parts
  let shown = ''
  const options: AdapterOptions = {
    command,
    cwd,
    env,
    within,
    onLog: (line, bytes) => onOutput('stderr', line, bytes),
    onNotice(notice) {
      if (notice.event === 'prompt') {
        shown = ''
        onPrompt({ ...notice, text: withoutEscapes(notice.text) })
      } else if (notice.event === 'surfaced') {
        shown = `${shown}${withoutEscapes(notice.text)}\n`.slice(-screen)
        onOutput('surfaced', notice.text, Buffer.byteLength(notice.text))
      } else if (notice.event === 'opened') onOpened(notice.url)
      else if (notice.event === 'log') onOutput('log', notice.text, Buffer.byteLength(notice.text))
    },
  }
  const adapter = await startAdapted(parts.starts, options, settings)
  return {
    gone: adapter.gone,
    shown: () => shown,
    async call(tool, args) {
      await act(adapter, { command: 'call', tool, arguments: args })
    },
    answers: 'by-name',
    async answer(prompt, action) {
      await act(adapter, { command: 'answer', prompt, action })
    },
    ...(adapter.capabilities.includes('retry') && {
      retry: () => act(adapter, { command: 'retry' }),
    }),
    stop: () => adapter.close(stopWithin),
  }
}

/** A client often ends with its adapter, or holds it up: once it runs, that is no failure of the harness. @throws Unreached */
async function act(adapter: Adapter, command: Parameters<typeof carryOut>[1]): Promise<void> {
  try {
    await carryOut(adapter, command)
  } catch (error) {
    throw error instanceof AdapterFailure ? new Unreached(error.message) : error
  }
}
