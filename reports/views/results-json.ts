/** Writes and reads `results.json`, the stored run record. */

import { lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readRegularFile } from '../../harness/engine/index.ts'
import { parseRunRecord, RunRecordError, type RunRecord } from '../record/run-record.ts'

/** The stored form: the same bytes on disk and on standard output. */
export function resultsJson(record: RunRecord): string {
  return `${JSON.stringify(record, undefined, 2)}\n`
}

/** Writes a file so that a reader sees the old content or the new one, never a part. */
export function writeAtomically(file: string, content: string | Uint8Array): void {
  const temporary = `${file}.${process.pid}.tmp`
  try {
    // It may have planted a link or a pipe as well: neither is followed.
    rmSync(temporary, { recursive: true, force: true })
    writeFileSync(temporary, content, { flag: 'wx' })
    // An implementation that knows the folder could have put something else there, which rename refuses.
    if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory()) rmSync(file, { recursive: true })
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Reads a stored run record. @throws {@link RunRecordError} */
export function readResults(file: string): RunRecord {
  let input: unknown
  try {
    input = JSON.parse(readRegularFile(file))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const missing = code === 'ENOENT' || code === 'ENOTDIR'
    throw new RunRecordError(`cannot read ${file}: ${missing ? 'there is no such file' : message}`)
  }
  try {
    return parseRunRecord(input)
  } catch (error) {
    if (error instanceof RunRecordError) throw new RunRecordError(`${file}: ${error.message}`)
    throw error
  }
}
