/**
 * Certifies the reference implementation of every profile once, and one broken tool, for the tests that only look at
 * such a run.
 */

import type { TestProject } from 'vitest/node'
import { profiles } from '../suites/registry.ts'
import { certify, runCli, scratch, type CliResult } from './run-cli.ts'
import { leaky } from './third-party.ts'

export interface RecordedRun extends CliResult {
  /** The run as it was stored; whoever edits it edits a copy. */
  readonly folder: string
}

declare module 'vitest' {
  interface ProvidedContext {
    /** By the id of the profile. */
    readonly recorded: Readonly<Record<string, RecordedRun>>
    /** A tool that puts its secrets everywhere. */
    readonly recordedLeaky: Pick<RecordedRun, 'code' | 'folder'>
  }
}

export default async function ({ provide }: TestProject): Promise<void> {
  const recorded: Record<string, RecordedRun> = {}
  // They watch for as long as a certification does, so that they can be signed. One after the other: together they would
  // keep a small machine too busy for what must come in time.
  for (const { id } of profiles) {
    const home = scratch()
    const result = await runCli(
      ['run', '--profile', id, '--observe', '3s', '--output', 'out'],
      home,
    )
    recorded[id] = { ...result, folder: `${home}/out` }
  }
  provide('recorded', recorded)
  const { code, folder } = await certify(leaky)
  provide('recordedLeaky', { code, folder })
}
