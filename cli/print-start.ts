/** What a run says before it begins to act: what it certifies, where, and what must be configured for that. */

import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { printable } from '../harness/index.ts'
import { usualNames } from './configuration-file.ts'
import type { Subject } from './configure.ts'
import { packageInfo } from './package-info.ts'
import type { Selection } from './selection.ts'
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
  const problem = fact('problem')
  if (problem) terminal.line(terminal.style('yellow', `note: ${problem}`))
  terminal.line()
}

/** Prints the head of a run, before the implementation is started or waited for. */
export function printStart(
  terminal: Terminal,
  { profile, configuration, base, embedded }: Subject,
  issuer: string,
  selection: Selection,
): void {
  const { implementation, target, provider, timing, strict } = configuration
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
    [provider ? 'provider' : 'model', issuer],
    ['observation', `${timing.observe} ms for what must not happen`],
  ] as const
  const forgotten = embedded ? usualNames.find((each) => existsSync(each)) : undefined
  terminal.line(terminal.style('bold', `${packageInfo.name} ${packageInfo.version}`))
  for (const row of table(rows)) terminal.line(row)
  // Somebody who has written a configuration may have forgotten to name it.
  if (forgotten)
    terminal.line(`note: ${forgotten} is not used; certify with it: aoc run --config ${forgotten}`)
  if (already) {
    if (provider) {
      for (const line of expectedSettings(issuer, provider, base)) terminal.line(line)
    }
    terminal.line(`waiting for ${target.url} (at most ${target.readyTimeout} ms)`)
  }
}

function howItRuns(
  { command, module }: Subject['configuration']['target'],
  embedded: boolean,
): string {
  if (embedded) return ' (comes with this package; certify your own with --config or --url)'
  if (command) return ', started by this run'
  return module ? ', inside this process' : ', running already'
}

/** The shorter way to write a path. */
function near(path: string): string {
  const shown = relative(process.cwd(), path)
  return shown.startsWith('..') ? path : shown
}

/** What somebody has to configure in a tool that runs already. */
function expectedSettings(
  issuer: string,
  provider: NonNullable<Subject['configuration']['provider']>,
  base: string,
): string[] {
  const { client, authority, port } = provider
  const secret = client.secret === undefined ? 'public, no secret' : 'with the configured secret'
  const ca =
    authority === undefined
      ? 'new in every run; keep one with --authority DIR and let the tool trust DIR/ca.pem'
      : near(resolve(base, authority, 'ca.pem'))
  return [
    'The tool must be configured for this provider:',
    ...table([
      [
        '  issuer',
        `${issuer}${port === 0 ? '  (another port in every run; keep one with --provider-port N)' : ''}`,
      ],
      ['  client', `${client.id}, ${secret}`],
      ['  API', `${issuer}/resource`],
      ['  authority', ca],
    ]),
  ]
}
