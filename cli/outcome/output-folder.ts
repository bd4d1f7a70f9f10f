/** The folder of one run: claimed with a lock, so that two runs never write into the same one. */

import { randomBytes } from 'node:crypto'
import {
  linkSync,
  lstatSync,
  openSync,
  closeSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { readRegularFile } from '../../harness/engine/index.ts'
import { formatNames } from '../../reports/views/format-names.ts'
import { codeOf, messageOf, recordOf } from '../input/unknown.ts'
import { UsageError } from '../input/usage-error.ts'
import { makeFolder } from './make-folder.ts'

export interface OutputFolder {
  readonly path: string
  /** Gives the folder free; may be called more than once. */
  readonly release: () => void
  /** Removes it, where it was not there before: nothing was tried, so nothing is left behind. */
  readonly discard: () => void
}

const lockName = '.aoc-run.lock'

/** Makes the folder, locks it, and removes what an earlier run left there. @throws {@link UsageError} */
export function claimOutputFolder(folder: string): OutputFolder {
  const path = resolve(folder)
  try {
    const made = makeFolder(path)
    const own = lock(path, folder)
    removeEarlierRun(path)
    let held = true
    const release = (): void => {
      if (!held) return
      held = false
      removeWork(path)
      if (readLock(path) === own) rmSync(join(path, lockName), { force: true })
    }
    process.once('exit', release)
    const discard = (): void => {
      release()
      if (made !== undefined) removeUpTo(made, path)
    }
    return { path, release, discard }
  } catch (error) {
    if (error instanceof UsageError) throw error
    const why = codeOf(error) === 'EEXIST' ? 'it is a file, expected a folder' : messageOf(error)
    throw new UsageError(`cannot write to the output folder ${folder}: ${why}`)
  }
}

/** Removes a folder, and those above it that are empty then, as far as the first that was made for it. */
function removeUpTo(made: string, path: string): void {
  rmSync(path, { recursive: true, force: true })
  try {
    for (let each = path; each !== made;) rmdirSync((each = dirname(each)))
  } catch {
    // Somebody else has put something there.
  }
}

function lock(path: string, shown: string): string {
  const own = JSON.stringify({
    pid: process.pid,
    host: hostname(),
    id: randomBytes(6).toString('hex'),
  })
  for (let attempt = 0; attempt < 5; attempt += 1) {
    try {
      writeFileSync(join(path, lockName), own, { flag: 'wx' })
      return own
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    const holder = readLock(path)
    if (holder !== undefined) refuseOrTakeOver(path, shown, holder)
  }
  throw new UsageError(`the output folder ${shown} is being claimed by other runs`)
}

function refuseOrTakeOver(path: string, shown: string, holder: string): void {
  const { pid, host } = holderOf(holder)
  if (host !== hostname() || isAlive(pid)) {
    const where = host === hostname() ? `process ${pid}` : `process ${pid} on ${host}`
    throw new UsageError(`another run (${where}) is writing to ${shown}`, [
      'choose another --output, or none: every run has a folder of its own then',
      `if that run has ended long ago, delete ${join(shown, lockName)}`,
    ])
  }
  // Renaming tells who is first; a lock that was taken in the meantime is put back.
  const offSlot = join(path, `${lockName}.${randomBytes(6).toString('hex')}`)
  try {
    renameSync(join(path, lockName), offSlot)
    if (readRegularFile(offSlot) !== holder) linkSync(offSlot, join(path, lockName))
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(codeOf(error) ?? '')) throw error
  } finally {
    rmSync(offSlot, { force: true })
  }
}

function readLock(path: string): string | undefined {
  try {
    return readRegularFile(join(path, lockName))
  } catch {
    return undefined
  }
}

function holderOf(lock: string): { readonly pid: number; readonly host: string } {
  try {
    const { pid, host } = recordOf(JSON.parse(lock))
    if (typeof pid === 'number' && typeof host === 'string') return { pid, host }
  } catch {
    // Cut short by a crash: nobody holds it.
  }
  return { pid: 0, host: hostname() }
}

function isAlive(pid: number): boolean {
  // A container gives the same low numbers again: a lock with our own number is not ours.
  if (pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Only what is recognizably ours. */
function removeEarlierRun(path: string): void {
  removeWork(path)
  for (const name of ['results.json', ...Object.values(formatNames).map(({ file }) => file)])
    rmSync(join(path, name), { force: true })
  const transcripts = join(path, 'transcripts')
  if (lstatSync(transcripts, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new UsageError(`${transcripts} is a link; what it points to would be written to`)
  }
  for (const name of namesIn(transcripts)) {
    const file = join(transcripts, name)
    if (name.endsWith('.jsonl') && isTranscript(file)) rmSync(file)
  }
}

/** What the harness keeps for the implementation while it runs. */
function removeWork(path: string): void {
  for (const name of namesIn(path)) {
    if (/^\.work-\w{6}$/.test(name)) rmSync(join(path, name), { recursive: true, force: true })
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isTranscript(file: string): boolean {
  if (!lstatSync(file).isFile()) return false
  const descriptor = openSync(file, 'r')
  try {
    const buffer = Buffer.alloc(beginning.length)
    return buffer.toString('utf8', 0, readSync(descriptor, buffer)) === beginning
  } finally {
    closeSync(descriptor)
  }
}

const beginning = '{"transcript":'
