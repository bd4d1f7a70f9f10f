/** Puts several runs of one profile side by side: a column for each, a row for each requirement. */

import type { Finding } from '../../harness/engine/index.ts'
import type { RequirementRecord, RunRecord } from '../record/run-record.ts'

export interface Column {
  /** Name and version as declared; two runs that would be called the same have their number behind it. */
  readonly label: string
  readonly record: RunRecord
}

type Cell = RequirementRecord['verdict']

export interface Row {
  readonly id: string
  readonly keyword: string
  readonly text: string
  /** One per column; `undefined` where the run's catalogue does not have the requirement. */
  readonly cells: readonly (Cell | undefined)[]
  readonly differs: boolean
}

/** What changed from one run of an implementation to its next. */
export interface Change {
  readonly from: Column
  readonly to: Column
  readonly requirements: readonly {
    readonly id: string
    readonly was: Cell | undefined
    readonly is: Cell | undefined
  }[]
}

/** Several runs of one profile beside each other. */
export interface Comparison {
  readonly profile: string
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  readonly changes: readonly Change[]
}

/** One comparison for each profile that occurs, runs in the order in which they were made. */
export function compareRuns(records: readonly RunRecord[]): Comparison[] {
  const profiles = [...new Set(records.map(({ profile }) => profile))].sort()
  return profiles.map((profile) => {
    const own = records.filter((record) => record.profile === profile)
    const columns = columnsOf([...own].sort((a, b) => (a.started < b.started ? -1 : 1)))
    return { profile, columns, rows: rowsOf(columns), changes: changesOf(columns) }
  })
}

/** The findings that decided a cell. */
export function decidingFindings({ record }: Column, id: string): Finding[] {
  const verdict = record.requirements.find((each) => each.id === id)?.verdict
  return record.findings.filter((each) => each.requirement === id && each.verdict === verdict)
}

function columnsOf(records: readonly RunRecord[]): Column[] {
  const seen = new Map<string, number>()
  return records.map((record) => {
    const { name, version } = record.implementation
    const label = [name, version].filter(Boolean).join(' ')
    const nth = (seen.get(label) ?? 0) + 1
    seen.set(label, nth)
    return { label: nth === 1 ? label : `${label} (${nth})`, record }
  })
}

function rowsOf(columns: readonly Column[]): Row[] {
  const known = new Map(columns.flatMap(({ record }) => record.requirements.map((r) => [r.id, r])))
  return [...known.values()].map(({ id, keyword, text }) => {
    const cells = columns.map((column) => cellOf(column, id))
    return { id, keyword, text, cells, differs: new Set(cells).size > 1 }
  })
}

function changesOf(columns: readonly Column[]): Change[] {
  return columns.flatMap((to, index) => {
    const { name } = to.record.implementation
    const from = columns
      .slice(0, index)
      .findLast(({ record }) => record.implementation.name === name)
    if (!from) return []
    const ids = new Set([from, to].flatMap(({ record }) => record.requirements.map(({ id }) => id)))
    const requirements = [...ids]
      .map((id) => ({ id, was: cellOf(from, id), is: cellOf(to, id) }))
      .filter(({ was, is }) => was !== is)
    return [{ from, to, requirements }]
  })
}

function cellOf({ record }: Column, id: string): Cell | undefined {
  return record.requirements.find((each) => each.id === id)?.verdict
}
