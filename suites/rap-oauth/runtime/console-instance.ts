/** A runtime that reads its standard input has one conversation: every conversation gets a process of its own. */

import { setMaxListeners } from 'node:events'
import type { Instance, Talk } from './instance.ts'

export interface ConsoleParts {
  /** The data folders of all its processes are below a folder that is called so. */
  readonly name: string
  /** Starts the process of a conversation. */
  readonly start: (name: string, talk: Talk) => Promise<Instance>
}

/** Acts as one instance for all conversations of a scenario. */
export function consoleInstance({ name, start }: ConsoleParts): Instance {
  const life = new AbortController()
  setMaxListeners(0, life.signal)
  const processes = new Map<string, Promise<Instance>>()
  const lost = (reason: unknown): void => {
    if (!life.signal.aborted) life.abort(reason instanceof Error ? reason.message : reason)
  }
  const of = (talk: Talk): Promise<Instance> => {
    const { conversation } = talk
    const known = processes.get(conversation)
    if (known) return known
    const starting = start(`${name}/${processes.size + 1}`, talk)
    processes.set(conversation, starting)
    starting.then(({ gone }) => gone.addEventListener('abort', () => lost(gone.reason)), lost)
    return starting
  }
  /** What is started in vain is said by `gone`; nobody is left to be told anything else. */
  const toAll = async (act: (each: Instance) => Promise<void>): Promise<void> => {
    const all = await Promise.allSettled(processes.values())
    await Promise.all(all.flatMap((each) => (each.status === 'fulfilled' ? [act(each.value)] : [])))
  }
  return {
    name,
    url: '',
    owned: true,
    gone: life.signal,
    ready: (talk) =>
      of(talk).then(
        () => undefined,
        () => undefined,
      ),
    say: (talk, ...what) =>
      void of(talk).then(
        (each) => each.say(talk, ...what),
        () => undefined,
      ),
    cancel: async (talk, recorder) => (await of(talk)).cancel(talk, recorder),
    watch(talk) {
      const watching = of(talk).then(
        (each) => each.watch(talk),
        () => () => Promise.resolve(),
      )
      return async () => (await watching)()
    },
    restart: () => toAll((each) => each.restart()),
    advanceClock: () => Promise.resolve(false),
    dump: () => Promise.resolve([]),
    check: () => Promise.resolve(life.signal.aborted ? String(life.signal.reason) : undefined),
    stop: () => toAll((each) => each.stop()),
  }
}
