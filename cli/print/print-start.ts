/** What a run says before it begins to act: what it certifies, where, and what must be configured for that. */

import { existsSync } from 'node:fs'
import { printable } from '../../harness/engine/index.ts'
import { usualNames } from '../configuration/configuration-file.ts'
import type { Subject } from '../configuration/configure.ts'
import { ownName } from './own-name.ts'
import { packageInfo } from '../package-info.ts'
import type { Selection } from '../running/selection.ts'
import { table, type Terminal } from './terminal.ts'

/** Prints where the implementation was found, once it was. */
export function printReached(terminal: Terminal, facts: Readonly<Record<string, unknown>>): void {
  const fact = (key: string): string | undefined =>
    typeof facts[key] === 'string' ? printable(facts[key], 200) : undefined
  const rows = [
    ['reached at    ', fact('endpoint') || fact('implementation')],
    ['operation     ', fact('operation')],
  ] as const
  const known = rows.flatMap(([label, value]) => (value ? [[label, value]] : []))
  for (const row of table(known)) terminal.line(row)
  for (const note of [fact('problem'), fact('note')])
    if (note) terminal.line(terminal.style('yellow', `note: ${note}`))
  terminal.line()
}

/** Prints the head of a run, before anything is started or waited for. */
export function printStart(
  terminal: Terminal,
  { profile, configuration, embedded }: Subject,
  selection: Selection,
): void {
  const { implementation, target, timing, strict } = configuration
  const { name, version } = implementation
  const part =
    selection.driven.length < profile.scenarios.length ||
    selection.judged.length < profile.scenarios.length
  const all = profile.scenarios.length
  const already = target.command === undefined && target.module === undefined
  const rows = [
    [
      'implementation',
      printable([name, version].filter(Boolean).join(' '), 120) + howItRuns(target, embedded),
    ],
    [
      'profile',
      `${profile.id}, ${part ? `${selection.judged.length} of ${all}` : all} scenarios${strict ? ', strict' : ''}`,
    ],
    ['specification', `${profile.specification.title}, ${profile.specification.revision}`],
    ['observation', `${timing.observe} ms for what must not happen`],
  ] as const
  const forgotten = embedded ? usualNames.find((each) => existsSync(each)) : undefined
  terminal.line(terminal.style('bold', `${packageInfo.name} ${packageInfo.version}`))
  for (const row of table(rows)) terminal.line(row)
  // Somebody who has written a configuration may have forgotten to name it.
  if (forgotten)
    terminal.line(
      `note: ${forgotten} is not used; certify with it: ${ownName()} run --config ${forgotten}`,
    )
  if (already) terminal.line(`waiting for ${target.url} (at most ${target.readyTimeout} ms)`)
}

/** Prints what the implementation has to be told about, and how, where somebody else has started it. */
export function printPeer(
  terminal: Terminal,
  { profile, configuration, base }: Subject,
  { kind, address }: { readonly kind: string; readonly address: string },
): void {
  const { command, module } = configuration.target
  for (const row of table([[kind.padEnd('implementation'.length), address]])) terminal.line(row)
  if (command !== undefined || module !== undefined) return
  for (const line of profile.expects?.(configuration, address, base) ?? []) terminal.line(line)
}

function howItRuns(
  { command, module }: Subject['configuration']['target'],
  embedded: boolean,
): string {
  if (embedded) return ' (comes with this package; certify your own with --config or --url)'
  if (command) return ', started by this run'
  return module ? ', inside this process' : ', running already'
}
