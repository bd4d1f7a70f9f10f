/** Files that are none, in a folder that somebody reads. */

import { execFileSync } from 'node:child_process'
import { renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { compare } from '../../cli/commands/compare.ts'
import { judge } from '../../cli/commands/judge.ts'
import { merge } from '../../cli/commands/merge.ts'
import { report } from '../../cli/commands/report.ts'
import { timeStamp } from '../../cli/commands/time-stamp.ts'
import { readAttestation } from '../../cli/input/attestation.ts'
import { copy, edit, honest, refuses, transcript, verify } from './bundle.ts'

describe('files that are none', () => {
  const readers: Readonly<Record<string, (bundle: string) => unknown>> = {
    verify,
    report: (at) => report(at, { output: join(at, '..', 'reports/') }),
    judge: (at) => judge([at], { quiet: true }),
    compare: (at) => compare([at, honest], { output: join(at, '..', 'grid') }),
    merge: (at) => merge([at], { output: join(at, '..', 'merged') }),
  }
  const inPlaceOf = (file: string, put: (path: string) => void) => (bundle: string) => {
    rmSync(join(bundle, file), { recursive: true })
    put(join(bundle, file))
  }
  const pipe = (path: string): void => void execFileSync('mkfifo', [path])
  const device = (path: string): void => symlinkSync('/dev/zero', path)
  const sparse = (path: string): void => {
    writeFileSync(path, '')
    truncateSync(path, 300 * 1024 * 1024)
  }
  const record = 'results.json'
  const elsewhere = (bundle: string): void => {
    renameSync(join(bundle, 'transcripts'), join(bundle, '..', 'elsewhere'))
    symlinkSync('../elsewhere', join(bundle, 'transcripts'))
  }
  const files: readonly (readonly [string, (bundle: string) => void, readonly string[]])[] = [
    ['a pipe as the run record', inPlaceOf(record, pipe), Object.keys(readers)],
    ['a device as the run record', inPlaceOf(record, device), Object.keys(readers)],
    ['a run record of 300 MB', inPlaceOf(record, sparse), Object.keys(readers)],
    ['a pipe as a recording', inPlaceOf(transcript, pipe), ['verify', 'report', 'judge', 'merge']],
    [
      'a recording of 300 MB',
      inPlaceOf(transcript, sparse),
      ['verify', 'report', 'judge', 'merge'],
    ],
    ['a link as the folder of recordings', elsewhere, ['verify', 'report', 'judge', 'merge']],
    [
      'a recording outside of the folder',
      (at) =>
        edit(join(at, record), (text) =>
          text
            .replaceAll('"denied-consent"', '"../../x"')
            .replace(transcript, 'transcripts/../../x.jsonl'),
        ),
      ['verify', 'report', 'judge', 'merge'],
    ],
  ]
  const cases = files.flatMap(([name, plant, by]) => by.map((each) => [name, each, plant] as const))

  test.each(cases)('%s is refused by %s', async (_, by, plant) => {
    const bundle = await copy()
    plant(bundle)
    await refuses(
      () => readers[by]!(bundle),
      /plain file|larger than|too large|is a link|there is no scenario with this name|not the one that was signed/,
    )
  })

  test('a pipe as the attestation is refused by whoever reads it', async () => {
    const bundle = await copy()
    inPlaceOf('attestation.json', pipe)(bundle)
    const asked = { authority: 'http://127.0.0.1:9/' }
    await refuses(() => verify(bundle), /plain file/)
    await refuses(() => timeStamp(bundle, asked), /plain file/)
    await refuses(() => readAttestation(bundle), /plain file/)
  })
})
