/** What `aoc list` shows of the profiles, as the build has left it: loading them takes longer than printing that. */

import { readFileSync } from 'node:fs'
import type { AnyProfile, Requirement, Scenario } from '../../harness/engine/index.ts'

/** A profile as it is listed. */
export interface ListedProfile {
  readonly id: string
  readonly title: string
  readonly scenarios: readonly ListedScenario[]
  readonly requirements: readonly ListedRequirement[]
}

export interface ListedScenario {
  readonly id: string
  readonly title: string
  readonly control?: string
  /** One for each of its checks. */
  readonly requirements: readonly string[]
}

export interface ListedRequirement extends Pick<
  Requirement,
  'id' | 'keyword' | 'basis' | 'source' | 'text'
> {
  readonly observed: string | undefined
  readonly excluded: string | undefined
}

/** What the build calls the file that it leaves beside this one. */
export const listedProfilesFile = 'listed-profiles.json'

/** The profiles of this package. @throws Error when it was not built */
export function listedProfiles(): readonly ListedProfile[] {
  const built = readFileSync(new URL(listedProfilesFile, import.meta.url), 'utf8')
  return JSON.parse(built) as readonly ListedProfile[]
}

/** The same of profiles that have been loaded. */
export function listed(profiles: readonly AnyProfile[]): readonly ListedProfile[] {
  return profiles.map(({ id, title, scenarios, requirements }) => ({
    id,
    title,
    scenarios: scenarios.map(listedScenario),
    requirements: requirements.map(listedRequirement),
  }))
}

function listedScenario({ id, title, control, checks }: Scenario<unknown>): ListedScenario {
  return {
    id,
    title,
    ...(control === undefined ? {} : { control }),
    requirements: checks.map((check) => check.requirement),
  }
}

function listedRequirement(row: Requirement): ListedRequirement {
  const { id, keyword, basis, source, text, observed, excluded } = row
  return { id, keyword, basis, source, text, observed, excluded }
}
