/** Starts a client under test, in whichever way its vendor says that it is made to act. */

import { resolve } from 'node:path'
import type { TargetConfiguration } from '../../../harness/parties/target-settings.ts'
import { fill } from '../../../harness/parties/index.ts'
import { startAdaptedClient } from './adapted-client.ts'
import type { ClientInstance, StartParts } from './instance.ts'
import { startTerminalClient, type Terminal } from './terminal-client.ts'

/** What the vendor configured of it. */
export interface StartConfiguration {
  readonly target: TargetConfiguration
  readonly drive: { readonly terminal: Terminal } | { readonly adapter: true }
}

/** Who is told what its user sees, and the environment to which the configured one is added. */
export type StartEvents = Pick<StartParts, 'starts' | 'env' | 'onPrompt' | 'onOpened' | 'onOutput'>

/** @throws Unreachable, AdapterFailure */
export function startClient(
  { target, drive }: StartConfiguration,
  base: string,
  settings: Readonly<Record<string, string>>,
  events: StartEvents,
): Promise<ClientInstance> {
  const env = Object.entries(target.env).map(([name, value]) => [name, fill(value, settings)])
  const parts: StartParts = {
    ...events,
    command: (target.command ?? []).map((part) => fill(part, settings)),
    cwd: target.cwd ? resolve(base, target.cwd) : base,
    env: { ...events.env, ...(Object.fromEntries(env) as Record<string, string>) },
    stopWithin: target.stopTimeout,
  }
  return 'adapter' in drive
    ? startAdaptedClient(parts, settings, target.readyTimeout)
    : startTerminalClient(parts, drive.terminal, target.readyTimeout)
}
