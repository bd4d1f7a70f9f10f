/** `aoc doctor`: what this machine offers beyond Node, what each is for, and what installs it. */

import { facilities } from '../../harness/parties/facilities.ts'
import { table, terminalOf } from '../print/terminal.ts'

/** What this command was asked for. */
export interface DoctorOptions {
  readonly json?: boolean
}

/** Prints everything that a run can make use of; that something is missing is no failure. */
export async function doctor({ json = false }: DoctorOptions): Promise<number> {
  const found = await Promise.all(
    facilities.map(async ({ find, ...facility }) => ({ ...facility, found: await find() })),
  )
  if (json) {
    const rows = found.map((each) => ({ ...each, found: each.found ?? null }))
    process.stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`)
    return 0
  }
  const terminal = terminalOf(process.stdout)
  const rows = found.map(({ name, purpose, install, found: place }) => [
    place === undefined ? '-' : '+',
    name,
    place ?? `not here: ${install}`,
    purpose,
  ])
  for (const line of table(rows)) terminal.line(line)
  return 0
}
