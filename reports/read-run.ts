/** Reads a stored run: the record and the recordings that it names, and nothing outside of its folder. */

import { lstatSync, readFileSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { eventSchema, Transcript, transcriptVersion, type RecordedEvent } from '../harness/index.ts'
import { sha256 } from './catalogue.ts'
import type { Transcripts } from './evidence.ts'
import { readResults } from './results-json.ts'
import { RunRecordError, type RunRecord } from './run-record.ts'

export interface StoredRun {
  readonly record: RunRecord
  readonly transcripts: Transcripts
}

/** Bytes; no run of this suite writes larger files. */
const largest = 64 * 1024 * 1024

/** The run in this folder, or the one that this `results.json` is of. @throws {@link RunRecordError} */
export function readRun(path: string): StoredRun {
  const file = isFolder(path) ? join(path, 'results.json') : path
  const record = readResults(file)
  const folder = join(file, '..')
  const stored = record.scenarios.flatMap(({ id, transcript }) =>
    transcript ? [[id, transcript] as const] : [],
  )
  if (record.log) stored.push(['run', record.log])
  return {
    record,
    transcripts: new Map(stored.map(([id, each]) => [id, readTranscript(folder, id, each)])),
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch (error) {
    throw new RunRecordError(
      `cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

function readTranscript(
  folder: string,
  scenario: string,
  { file, digest }: { readonly file: string; readonly digest: string },
): Transcript {
  const shown = join(folder, file)
  const content = contentOf(folder, file)
  const found = sha256(content)
  if (found !== digest) {
    throw new RunRecordError(`${shown}: changed since the run: digest ${found}, expected ${digest}`)
  }
  const [header = '', ...lines] = content.toString('utf8').trimEnd().split('\n')
  const version = (json(header, shown, 1) as { readonly transcript?: unknown }).transcript
  if (version !== transcriptVersion) {
    throw new RunRecordError(
      `${shown}: transcript of version ${JSON.stringify(version)}; this suite reads version ${transcriptVersion}`,
    )
  }
  return new Transcript(lines.map((line, index) => event(line, shown, index + 2, scenario)))
}

/** A file of the run: below its folder, and really there, not somewhere else by a link. */
function contentOf(folder: string, file: string): Buffer {
  const parts = file.split(/[/\\]/)
  if (isAbsolute(file) || parts.some((part) => ['', '.', '..'].includes(part))) {
    throw new RunRecordError(`damaged run record: ${JSON.stringify(file)} is not below the run`)
  }
  try {
    for (const [index] of parts.entries()) {
      const entry = lstatSync(join(folder, ...parts.slice(0, index + 1)))
      if (entry.isSymbolicLink()) throw new Error('it is a symbolic link')
      if (entry.size > largest) throw new Error(`it is larger than ${largest} bytes`)
    }
    return readFileSync(join(folder, file))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new RunRecordError(`cannot read ${join(folder, file)}: ${why}`)
  }
}

function event(line: string, file: string, number: number, scenario: string): RecordedEvent {
  const parsed = eventSchema.safeParse(json(line, file, number))
  if (parsed.success) return { ...parsed.data, scenario }
  const [issue] = parsed.error.issues
  throw new RunRecordError(
    `${file}:${number}: not an event: ${issue?.path.join('.')}: ${issue?.message}`,
  )
}

function json(line: string, file: string, number: number): object {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Told below.
  }
  throw new RunRecordError(
    `${file}:${number}: not a JSON object: ${JSON.stringify(line.slice(0, 60))}`,
  )
}
