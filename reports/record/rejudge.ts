/** Judges a stored run again, without driving anything. */

import { judgeRecorded, type AnyProfile, type Finding } from '../../harness/engine/index.ts'
import { catalogueDigest } from './catalogue.ts'
import { findingsByKey } from './finding-key.ts'
import { RunRecordError, type RunRecord } from './run-record.ts'
import type { StoredRun } from './stored-run.ts'
import { countVerdicts, summarizeRequirements, verdictOf } from './summarize.ts'

/** What its transcripts say about a stored run. */
export interface Rejudged {
  /** The record with the findings that its transcripts give. */
  readonly record: RunRecord
  /** Where they are not the stored ones, one line each; empty when the record says what its transcripts show. */
  readonly differences: readonly string[]
}

export interface RejudgeOptions {
  /** Ids of the scenarios whose findings are reported. */
  readonly judged: readonly string[]
  readonly reports: (finding: Finding) => boolean
}

/**
 * The findings of a stored run, made again from its transcripts.
 * @throws {@link RunRecordError} for another catalogue, or a run whose recordings are not complete
 */
export function rejudge(
  { record, transcripts }: StoredRun,
  profile: AnyProfile,
  { judged, reports }: RejudgeOptions,
): Rejudged {
  requireJudgeable(record, profile)
  const { settings, declared, strict } = record
  const findings = judged
    .flatMap((id) => {
      if (!transcripts.has(id)) throw new RunRecordError(`the run has no recording of ${id}`)
      const run = { transcripts, declared, timing: settings, strict }
      return judgeRecorded(profile, id, run)
    })
    .filter(reports)
  const stored = record.findings.filter(
    (finding) => judged.includes(finding.scenario) && reports(finding),
  )
  return {
    record: {
      ...record,
      verdict: verdictOf(findings, record),
      counts: countVerdicts(findings),
      requirements: summarizeRequirements(profile, findings),
      findings,
    },
    differences: differencesOf(stored, findings),
  }
}

function requireJudgeable({ interrupted, scenarios, suite, exit }: RunRecord, profile: AnyProfile) {
  const installed = catalogueDigest(profile)
  if (suite.catalogue.digest !== installed) {
    throw new RunRecordError(
      `the run was judged by another catalogue of ${profile.id} (suite ${suite.version}, ${suite.catalogue.digest}); this suite has ${installed}`,
    )
  }
  if (interrupted) {
    throw new RunRecordError(`the run was interrupted (${interrupted}): it is not complete`)
  }
  if (scenarios.every(({ transcript }) => transcript === undefined)) {
    throw new RunRecordError(`the run recorded nothing: ${exit.reason}`)
  }
}

function differencesOf(stored: readonly Finding[], found: readonly Finding[]): string[] {
  const before = findingsByKey(stored)
  const after = findingsByKey(found)
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [was, is] = [before.get(key), after.get(key)]
    if (JSON.stringify(was) === JSON.stringify(is)) return []
    if (was?.verdict !== is?.verdict) {
      return [`${key}: stored ${was?.verdict ?? 'nothing'}, judged ${is?.verdict ?? 'nothing'}`]
    }
    return [`${key}: ${is?.verdict}, with another message or evidence`]
  })
}
