/** Starts the adapter of a target, and through it what it adapts. */

import { resolve } from 'node:path'
import type { TargetConfiguration } from '../../configuration.ts'
import { inherited, trust } from '../implementation.ts'
import { withAdditions } from '../preloaded.ts'
import { fill, type Placeholders } from '../template.ts'
import { openAdapter, type Adapter, type AdapterOptions } from './adapter.ts'
import { startAdapted } from './carry-out.ts'

export interface LaunchOptions extends Pick<AdapterOptions, 'speaks' | 'onNotice' | 'onLog'> {
  readonly target: TargetConfiguration
  /** Folder against which relative paths of the configuration are resolved. */
  readonly base: string
  /** What it is told by `configure`; also placeholders of the command and its environment. */
  readonly settings: Placeholders
  /** Empty where there is none to trust. */
  readonly caFile: string
  /** What its environment holds beside what is configured; default: nothing. */
  readonly additions?: readonly Readonly<Record<string, string>>[]
}

/** @throws AdapterFailure */
export async function launchAdapter(options: LaunchOptions): Promise<Adapter> {
  const { target, base, settings, caFile, onLog, onNotice, speaks = 1, additions = [] } = options
  const own = Object.entries(target.env).map(([key, value]) => [key, fill(value, settings)])
  const env = { ...inherited(), ...trust(caFile), ...(Object.fromEntries(own) as Placeholders) }
  const adapter = await openAdapter({
    command: (target.command ?? []).map((part) => fill(part, settings)),
    cwd: target.cwd ? resolve(base, target.cwd) : base,
    env: withAdditions(env, ...additions),
    within: target.readyTimeout,
    speaks,
    onLog,
    onNotice,
  })
  await startAdapted(adapter, settings)
  return adapter
}
