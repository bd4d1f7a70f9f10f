/** `aoc list`: what this suite knows. */

import { listedProfiles, type ListedProfile } from '../input/listed-profiles.ts'
import { profileNamed } from '../input/profile-named.ts'
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
  const profiles = listedProfiles()
  const chosen = profile === undefined ? profiles : [profileNamed(profile, profiles)]
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

const rowsOf: Readonly<Record<ListName, (profile: ListedProfile) => readonly Row[]>> = {
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
  scenarios: ({ id: profile, scenarios }) =>
    scenarios.map((scenario) => {
      const { id, title, requirements } = scenario
      const checks = `${requirements.length} ${requirements.length === 1 ? 'check ' : 'checks'}`
      return { columns: [id, checks, title], data: { profile, ...scenario } }
    }),
  requirements: ({ id: profile, requirements }) =>
    requirements.map((row) => {
      const { id, keyword, basis, text, excluded } = row
      return {
        columns: [id, keyword, excluded === undefined ? basis : 'excluded', text],
        data: { profile, ...row },
      }
    }),
}
