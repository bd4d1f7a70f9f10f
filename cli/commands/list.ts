/** `aoc list`: what this suite knows. */

import type { AnyProfile, Requirement, Scenario } from '../../harness/engine/index.ts'
import { findProfile } from '../configuration/configure.ts'
import { profiles } from '../../suites/registry.ts'
import { table, terminalOf } from '../print/terminal.ts'

export type ListName = 'profiles' | 'scenarios' | 'requirements'

export interface ListOptions {
  readonly profile?: string
  readonly json?: boolean
}

interface Row {
  readonly columns: readonly string[]
  readonly data: Readonly<Record<string, unknown>>
}

/** Prints one of the lists, as a table or as JSON. @throws UsageError for an unknown profile */
export function list(what: ListName, { profile, json = false }: ListOptions): number {
  const chosen = profile === undefined ? profiles : [findProfile(profile)]
  const rows = chosen.flatMap((each) => rowsOf[what](each))
  if (json)
    process.stdout.write(
      `${JSON.stringify(
        rows.map(({ data }) => data),
        undefined,
        2,
      )}\n`,
    )
  else
    for (const line of table(rows.map(({ columns }) => columns)))
      terminalOf(process.stdout).line(line)
  return 0
}

const rowsOf: Readonly<Record<ListName, (profile: AnyProfile) => readonly Row[]>> = {
  profiles: ({ id, title, scenarios, requirements }) => {
    const excluded = requirements.filter((row) => row.excluded !== undefined).length
    const judged = requirements.length - excluded
    return [
      {
        columns: [
          id,
          title,
          `${scenarios.length} scenarios, ${judged} requirements (${excluded} more excluded)`,
        ],
        data: { id, title, scenarios: scenarios.length, requirements: judged, excluded },
      },
    ]
  },
  scenarios: (profile) =>
    profile.scenarios.map(({ id, title, control, checks }: Scenario<unknown>) => ({
      columns: [id, `${checks.length} ${checks.length === 1 ? 'check ' : 'checks'}`, title],
      data: {
        profile: profile.id,
        id,
        title,
        ...(control === undefined ? {} : { control }),
        requirements: checks.map((check) => check.requirement),
      },
    })),
  requirements: (profile) => profile.requirements.map((row) => requirementRow(row, profile)),
}

function requirementRow(row: Requirement, profile: AnyProfile): Row {
  const { id, keyword, basis, source, text, observed, excluded } = row
  return {
    columns: [id, keyword, excluded === undefined ? basis : 'excluded', text],
    data: { profile: profile.id, id, keyword, basis, source, text, observed, excluded },
  }
}
