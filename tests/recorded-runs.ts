/**
 * The reference implementation of every profile is certified once, and one broken tool, for the tests that only look at
 * such a run: by the first that asks, in whichever process, so that a part of the tests drives only what it looks at.
 */

import { mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject, vi } from 'vitest'
import type { TestProject } from 'vitest/node'
import { certify, runCli, scratch } from './run-cli.ts'
import { leaky } from './third-party.ts'

export interface RecordedRun {
  readonly code: number | null
  readonly stdout: string
  /** The run as it was stored; whoever edits it edits a copy. */
  readonly folder: string
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the runs that were asked for so far. */
    readonly recordings: string
  }
}

export default function ({ provide }: TestProject): void {
  provide('recordings', scratch())
}

/** The reference of a profile, watched for as long as a certification watches, so that the run can be signed. */
export function recordedRun(profile: string): Promise<RecordedRun> {
  return once(profile.replaceAll('/', '-'), 0, async () => {
    const home = scratch()
    const args = ['run', '--profile', profile, '--observe', '3s', '--output', 'out']
    return { ...(await runCli(args, home)), folder: join(home, 'out') }
  })
}

/** A tool that puts its secrets everywhere. */
export function recordedLeaky(): Promise<RecordedRun> {
  return once('leaky', 1, async () => ({ ...(await certify(leaky)), stdout: '' }))
}

/** Milliseconds in which the slowest of these runs ends, also beside others. */
const patience = 150_000

/** Who makes the folder drives the run, and all others wait for it; one that a busy machine spoilt is not kept. */
async function once(
  name: string,
  expected: number,
  drive: () => Promise<RecordedRun>,
): Promise<RecordedRun> {
  const place = join(inject('recordings'), name)
  const file = join(place, 'run.json')
  const kept = (): RecordedRun => JSON.parse(readFileSync(file, 'utf8')) as RecordedRun
  if (!claims(place)) return vi.waitFor(kept, { timeout: patience, interval: 200 })
  const run = await drive()
  if (run.code === expected) {
    const { code, stdout, folder } = run
    writeFileSync(`${file}.new`, JSON.stringify({ code, stdout, folder }))
    renameSync(`${file}.new`, file)
  } else rmdirSync(place)
  return run
}

function claims(place: string): boolean {
  try {
    mkdirSync(place)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
