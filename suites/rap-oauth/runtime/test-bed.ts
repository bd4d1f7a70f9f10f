/** Opens what the scenarios act in: toolsets, the model, the runtime under test, and fixtures per scenario. */

import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  Unreached,
  type OpenOptions,
  type ScenarioContext,
  type TestBed,
  type Timing,
} from '../../../harness/engine/index.ts'
import type { Jumps } from '../../../harness/parties/index.ts'
import { declaredBy, type Declared, type RuntimeConfiguration } from './configuration.ts'
import type { Instance } from './instance.ts'
import { linesOf } from './log-lines.ts'
import { Calls, Conversation } from './session.ts'
import { findToken, readStorage } from './storage.ts'
import { Surroundings } from './surroundings.ts'
import type { InvocationScope, ToolsetChange } from './toolset-server.ts'

/** What a scenario acts with. */
export interface Fixtures {
  readonly timing: Timing
  readonly declared: Declared
  /** Begins a conversation of a user of its own, or of the given one. */
  readonly converse: (user?: string) => Conversation
  /**
   * Watches for what must not happen: for the observation window of the run, or so many milliseconds. `then` is called as
   * soon as it ends.
   */
  readonly observe: (then?: () => void, ms?: number) => Promise<void>
  /** Marks this moment for the checks. */
  readonly mark: (name: string, detail?: Record<string, unknown>) => void
  /** Fixtures of its own: another instance of the runtime. `timeoutMs` fills {user.timeoutMs}. */
  readonly ownInstance: (options?: { readonly timeoutMs?: number }) => Promise<Fixtures>
  /** Describes the tools of the first toolset otherwise, for whoever fetches it from now on. */
  readonly describeTools: (description: string) => void
  /** Fixtures of another instance, whose toolsets nobody else uses. */
  readonly ownToolsets: () => Promise<Fixtures & OwnToolsets>
  /** Stops the runtime and starts it again with the same data. */
  readonly restart: () => Promise<void>
  /** Fixtures of an instance of its own whose clock can be moved, where that was asked for and works. */
  readonly movable: (options: { readonly timeoutMs: number }) => Promise<Fixtures | undefined>
  /** Moves the runtime's clock, where that is possible: for how long it may sleep on before it looks at it (ms). */
  readonly advanceClock: (ms: number) => Promise<number | undefined>
  /** Looks for these tokens in what the runtime has stored. */
  readonly scanStorage: (tokens: readonly string[]) => Promise<void>
  /** Ends every other scenario, then records the declared log files, and what of the output names a URL. */
  readonly recordLogs: () => Promise<void>
}

export interface OwnToolsets {
  /** Changes the discovery documents of both toolsets, for whoever fetches them from now on. */
  readonly alterToolsets: (...changes: readonly ToolsetChange[]) => void
}

export async function openTestBed(
  options: OpenOptions<RuntimeConfiguration>,
): Promise<TestBed<Fixtures>> {
  const surroundings = await Surroundings.open(options)
  try {
    const shared = await surroundings.start('shared')
    return {
      facts: {
        implementation: shared.url,
        toolset: surroundings.values['toolset.url'],
        model: surroundings.values['model.url'],
        ...(options.configuration.target.clock === 'jump'
          ? { clock: surroundings.time.facts }
          : {}),
      },
      fixtures: (context) =>
        makeFixtures(surroundings, context, surroundings.instanceOf(context, shared)),
      startsEarly: declaredBy(options.configuration).multipliable,
      survived: () => surroundings.check(options.run.timing.stepMs),
      close: () => surroundings.close(),
    }
  } catch (error) {
    await surroundings.close()
    throw error
  }
}

/** A call that waits for its user, and that nobody judges. */
async function pendingCall({ converse }: Fixtures): Promise<void> {
  const call = converse().ask()
  await call.awaitInvocation()
  await call.awaitSurfaced(await call.oauth())
}

function makeFixtures(
  parts: Surroundings,
  context: ScenarioContext,
  instance: Instance,
  clock?: Jumps,
): Fixtures {
  const { run, configuration, base } = parts.options
  const { recorder, offSlot, lendSlot, behind } = context
  const declared = declaredBy(configuration)
  const calls = new Calls()
  const session = {
    recorder,
    run,
    transport: parts.transport,
    attribution: parts.attribution,
    script: parts.script,
    instance,
    patience: parts.patience,
    surfaceMs: declared.surfaceMs,
    answersOnly: declared.answersOnly,
    offSlot,
    lendSlot,
    expect: (reference: string, scope: InvocationScope) =>
      void parts.expected.set(reference, scope),
  }
  return {
    timing: run.timing,
    declared,
    converse: (user) => new Conversation(session, calls, user),
    async recordLogs() {
      await context.others()
      const { logs = [] } = configuration.declares
      const dataDir = join(parts.dataRoot(), instance.name)
      const values = { ...parts.values, 'data.dir': dataDir, 'runtime.url': instance.url }
      for (const { path, bytes } of await readStorage(logs, { base, dataDir, values })) {
        for (const text of linesOf(bytes.toString('utf8'))) {
          const size = Buffer.byteLength(text)
          recorder.record({ type: 'output', source: `log ${path}`, text, bytes: size })
        }
      }
      for (const { source, text } of parts.printed.lines) {
        recorder.record({ type: 'output', source, text, bytes: Buffer.byteLength(text) })
      }
    },
    async observe(then = () => undefined, ms = run.timing.observeMs) {
      const end = (): void => {
        recorder.record({ type: 'step', action: 'window', detail: { ms } })
        then()
      }
      // An interrupted run has no window to record.
      const watching = delay(ms, undefined, { signal: run.signal })
      await offSlot(watching.then(end, () => undefined))
    },
    mark: (name, detail = {}) =>
      recorder.record({ type: 'step', action: 'mark', detail: { name, ...detail } }),
    async ownInstance({ timeoutMs } = {}) {
      if (!declared.multipliable) {
        throw new Error('a scenario that needs an instance of its own has to say so')
      }
      const name = `own-${recorder.name}`
      const own =
        'stdin' in configuration.messages
          ? parts.startConsoles(name, timeoutMs)
          : parts.start(name, timeoutMs)
      // Where the gate is not passed, that it did not start either is nothing to tell.
      await offSlot(Promise.allSettled([own, context.gate()]))
      await context.gate()
      return makeFixtures(parts, context, await own)
    },
    async ownToolsets() {
      if (!declared.multipliable) {
        throw new Error('a scenario that needs an instance of its own has to say so')
      }
      const toolsets = await parts.openToolsets(recorder)
      const own = parts.startWith(toolsets, `own-${recorder.name}`)
      await offSlot(Promise.allSettled([own, context.gate()]))
      await context.gate()
      return {
        ...makeFixtures(parts, context, await own),
        alterToolsets(...changes) {
          const detail = { urls: toolsets.map(({ url }) => url) }
          recorder.record({ type: 'step', action: 'toolsets-altered', detail })
          for (const [index, change] of changes.entries()) toolsets[index]?.alter(change)
        },
      }
    },
    describeTools(description) {
      recorder.record({ type: 'step', action: 'described', detail: { description } })
      parts.toolsets[0]?.describe(description)
    },
    async restart() {
      recorder.record({ type: 'step', action: 'restart', detail: {} })
      await offSlot(instance.restart())
      recorder.record({ type: 'step', action: 'restarted', detail: {} })
    },
    async movable({ timeoutMs }) {
      if (configuration.target.clock !== 'jump') return undefined
      await context.gate()
      const { transport } = parts
      const moved = await parts.time.open<Instance>({
        recorder,
        behind,
        open: (name, clock) => offSlot(parts.start(name, timeoutMs, clock)),
        clocked({ implementation }) {
          if (!implementation) throw new Unreached('it is not a process that this run started')
          return { implementation, transport }
        },
        pend: (own, as) => pendingCall(makeFixtures(parts, { ...context, recorder: as }, own)),
        timers: true,
      })
      return moved && makeFixtures(parts, context, moved.own, moved.clock)
    },
    async advanceClock(ms) {
      const nap = await clock?.nap()
      if (clock) await clock.jump(ms)
      else if (!(await offSlot(instance.advanceClock(ms)))) return undefined
      recorder.record({ type: 'step', action: 'clock-advanced', detail: { ms } })
      return nap ?? 0
    },
    async scanStorage(tokens) {
      const { storage = [] } = configuration.declares
      const dataDir = join(parts.dataRoot(), instance.name)
      const values = { ...parts.values, 'data.dir': dataDir, 'runtime.url': instance.url }
      const own = storage.some((each) => typeof each !== 'string' && 'adapter' in each)
      const dumped = own ? await instance.dump() : []
      const stored = [
        ...(await readStorage(storage, { base, dataDir, values })),
        ...dumped.map(({ path, text }) => ({ path, bytes: Buffer.from(text, 'latin1') })),
      ]
      for (const { path, bytes } of stored) {
        const found = tokens.flatMap((token) =>
          findToken(bytes, token).map((encoding) => ({ token, encoding })),
        )
        const detail = { path, bytes: bytes.length, found }
        recorder.record({ type: 'step', action: 'scanned', detail })
      }
    },
  }
}
