/** Claims a database file for this process, also from one that died while it had it. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * Writes this process's id beside the file and returns the function that takes it back. SQLite's own
 * lock (a folder) outlives a process that was killed; it is removed when its owner is gone.
 * @throws Error when another process has claimed the file
 */
export function claimFile(file: string): () => void {
  const claim = `${file}.pid`
  const owner = ownerOf(claim)
  if (owner !== undefined && isAlive(owner)) {
    throw new Error(`${file} is in use by process ${owner}; several instances need redis://`)
  }
  if (owner !== undefined) {
    // of two that find the same dead owner one can rename its claim, and goes on
    renameSync(claim, `${claim}.stale`)
    rmSync(`${file}.lock`, { recursive: true, force: true })
    rmSync(`${claim}.stale`, { force: true })
  }
  writeFileSync(claim, String(process.pid), { flag: 'wx' })
  return () => rmSync(claim, { force: true })
}

function ownerOf(claim: string): number | undefined {
  try {
    return Number(readFileSync(claim, 'utf8'))
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // a process of somebody else cannot be signalled, but it is there
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
