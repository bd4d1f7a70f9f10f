/** An instance of a runtime that is talked to through an adapter. */

import type { Run } from '../../../harness/engine/index.ts'
import {
  AdapterFailure,
  carryOut,
  fill,
  freePort,
  launchAdapter,
  type CommandToSend,
  type Sighted,
} from '../../../harness/parties/index.ts'
import type { RuntimeConfiguration } from './configuration.ts'
import type { Instance } from './instance.ts'
import type { PrintedUrls } from './log-lines.ts'

export interface AdaptedParts {
  readonly name: string
  readonly configuration: RuntimeConfiguration
  readonly run: Run
  /** Folder against which relative paths of the configuration are resolved. */
  readonly base: string
  /** What the runtime is to be told; also placeholders of the command and its environment. */
  readonly values: Readonly<Record<string, string>>
  readonly onText: (sighted: Sighted) => void
  readonly printed: PrintedUrls
}

/** Starts the adapter, and the runtime behind it. @throws AdapterFailure */
export async function adaptedInstance(parts: AdaptedParts): Promise<Instance> {
  const { name, configuration, run, base, onText } = parts
  const { target } = configuration
  const port = String(await freePort())
  const url = fill(target.url, { port }).replace(/\/$/, '')
  const settings = { ...parts.values, port, 'runtime.url': url }
  const shows = configuration.surface.some((each) => 'adapter' in each)
  const adapter = await launchAdapter({
    run,
    target,
    base,
    settings,
    caFile: '',
    onLog(text, bytes) {
      const source = `${name} stderr`
      run.log.record({ type: 'output', source, text, bytes })
      parts.printed.take({ source, text })
    },
    onNotice(notice) {
      if (notice.event !== 'surfaced') {
        run.log.record({ type: 'step', action: 'adapter', detail: { ...notice } })
      } else if (shows) {
        const { text, conversation } = notice
        onText({ source: 'adapter', text, conversation })
      }
    },
  })
  const must = (command: CommandToSend) => carryOut(adapter, command)
  return {
    name,
    url,
    owned: true,
    gone: adapter.gone,
    ready: () => Promise.resolve(),
    say({ conversation, user }, text, recorder, call) {
      const detail = { conversation, user, text }
      recorder.record({ type: 'step', action: 'message', ...(call ? { call } : {}), detail })
      const sending = must({ command: 'message', conversation, user, text })
      void sending.catch((error: unknown) => {
        const reason = String(error)
        recorder.record({ type: 'step', action: 'message-failed', detail: { reason } })
      })
    },
    async cancel({ conversation, user }) {
      await must({ command: 'cancel', conversation, user })
    },
    watch: () => () => Promise.resolve(),
    async restart() {
      await must({ command: 'restart' })
    },
    async advanceClock(ms) {
      const answer = await adapter.send({ command: 'advance_clock', ms })
      if (answer.event !== 'failed') return answer.event === 'settled'
      throw new AdapterFailure(`failed at advance_clock: ${answer.message}`)
    },
    dump: async () => (await must({ command: 'dump' })).entries ?? [],
    check: () => Promise.resolve(adapter.gone.aborted ? String(adapter.gone.reason) : undefined),
    stop: () => adapter.close(target.stopTimeout),
  }
}
