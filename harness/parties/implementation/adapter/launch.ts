/** Starts the adapter of a target, and through it what it adapts. */

import { resolve } from 'node:path'
import type { Run } from '../../../engine/run.ts'
import type { TargetConfiguration } from '../../target-settings.ts'
import { inherited, trust } from '../environment.ts'
import type { StartOptions } from '../implementation.ts'
import { withAdditions } from '../preloaded.ts'
import { fill, type Placeholders } from '../template.ts'
import type { Adapter, AdapterOptions } from './adapter.ts'
import { startAdapted } from './carry-out.ts'

export interface LaunchOptions
  extends Pick<AdapterOptions, 'speaks' | 'onNotice' | 'onLog'>, Pick<StartOptions, 'additions'> {
  readonly run: Pick<Run, 'starts'>
  readonly target: TargetConfiguration
  /** Folder against which relative paths of the configuration are resolved. */
  readonly base: string
  /** What it is told by `configure`; also placeholders of the command and its environment. */
  readonly settings: Placeholders
  /** Empty where there is none to trust. */
  readonly caFile: string
}

/** @throws AdapterFailure */
export function launchAdapter(options: LaunchOptions): Promise<Adapter> {
  const { target, base, settings, caFile, onLog, onNotice, speaks = 1, additions = [] } = options
  const own = Object.fromEntries(
    Object.entries(target.env).map(([key, value]) => [key, fill(value, settings)]),
  )
  const adapter = {
    command: (target.command ?? []).map((part) => fill(part, settings)),
    cwd: target.cwd ? resolve(base, target.cwd) : base,
    env: withAdditions({ ...inherited(), ...trust(caFile), ...own }, ...additions),
    within: target.readyTimeout,
    speaks,
    onLog,
    onNotice,
  }
  return startAdapted(options.run.starts, adapter, settings)
}
