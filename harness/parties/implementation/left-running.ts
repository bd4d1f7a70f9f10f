/** Names what outlived a run: processes that left the group in which they were started. */

import { randomBytes } from 'node:crypto'
import { groupOf, pids, readProcess } from './processes.ts'

/** A variable in the environment of all that is started; whatever that starts inherits it. */
export const runMark = { name: 'RUN_MARK', value: randomBytes(12).toString('hex') } as const

/** A process that still runs. */
export interface LeftRunning {
  readonly pid: number
  readonly command: string
}

/**
 * Processes with the mark that are in none of these groups, which have been killed. Found where `/proc` is (Linux), and only
 * what kept its environment.
 */
export function leftRunning(groups: ReadonlySet<number>): LeftRunning[] {
  const mark = `${runMark.name}=${runMark.value}`
  return pids().flatMap((pid) => {
    const marked = readProcess(pid, 'environ').split('\0').includes(mark)
    if (!marked || groups.has(groupOf(pid))) return []
    return [{ pid, command: readProcess(pid, 'cmdline').split('\0').join(' ').trim() }]
  })
}
