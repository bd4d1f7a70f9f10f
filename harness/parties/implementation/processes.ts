/** What Linux tells about processes below `/proc`; nothing anywhere else. */

import { readdirSync, readFileSync } from 'node:fs'

/** Every process that can be seen. */
export function pids(): number[] {
  return list('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

/** The process group. The fifth field; the second is the name in parentheses, which may hold anything. */
export function groupOf(pid: number): number {
  const stat = readProcess(pid, 'stat')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2])
}

/** The threads of all processes of a group. */
export function threadsOf(group: number): { readonly pid: number; readonly thread: number }[] {
  return pids()
    .filter((pid) => groupOf(pid) === group)
    .flatMap((pid) => list(`/proc/${pid}/task`).map((name) => ({ pid, thread: Number(name) })))
}

/** Empty for one that has gone, or belongs to somebody else. */
export function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** The names below a folder; none where it is not there, or somebody else's. */
export function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
