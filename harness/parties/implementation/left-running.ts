/** Names what outlived a run: processes that left the group in which they were started. */

import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

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

function pids(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

/** The fifth field; the second is the name in parentheses, which may hold anything. */
function groupOf(pid: number): number {
  const stat = readProcess(pid, 'stat')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2])
}

/** Empty for one that has gone, or belongs to somebody else. */
function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
