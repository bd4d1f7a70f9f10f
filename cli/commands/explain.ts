/** `aoc explain`: everything about one requirement. */

import {
  linksOf,
  type AnyProfile,
  type Requirement,
  type Scenario,
} from '../../harness/engine/index.ts'
import { profiles } from '../../suites/registry.ts'
import { findProfile } from '../configuration/configure.ts'
import { suggest } from '../input/suggest.ts'
import { ownName } from '../print/own-name.ts'
import { terminalOf, wrapped } from '../print/terminal.ts'
import { UsageError } from '../input/usage-error.ts'

export interface ExplainOptions {
  /** The one of several profiles that judge it. */
  readonly profile?: string
  readonly json?: boolean
}

/** Prints what a requirement says, where it stands and how it is judged. @throws {@link UsageError} */
export function explain(wanted: string, options: ExplainOptions): number {
  const { json = false } = options
  const { requirement, profile } = find(wanted, options.profile)
  const judges = judgesOf(requirement, profile)
  const { specification } = profile
  const links = linksOf(requirement.source, specification)
  if (json) {
    process.stdout.write(
      `${JSON.stringify({ profile: profile.id, ...requirement, links, scenarios: judges }, undefined, 2)}\n`,
    )
    return 0
  }
  const terminal = terminalOf(process.stdout)
  const row = (label: string, text: string): void =>
    terminal.line(wrapped(text, terminal.width, ' '.repeat(13), label.padEnd(13)))
  const { id, keyword, basis, source, text, observed, excluded, mend, appliesTo } = requirement
  terminal.line(terminal.style('bold', id))
  terminal.line()
  row('requires', text)
  if (appliesTo !== undefined) row('applies to', appliesTo)
  row('keyword', `${keyword}: ${consequence(requirement)}`)
  row(
    'basis',
    basis === 'specification'
      ? 'the protocol document itself'
      : 'best practice: what OAuth demands',
  )
  row('source', source)
  for (const { text: section, url } of links) {
    terminal.line(`${' '.repeat(13)}${links.length > 1 ? `${section}: ` : ''}${url}`)
  }
  row('document', `${specification.title}, ${specification.revision}`)
  row('profile', [profile.id, ...alsoIn(requirement, profile)].join('; '))
  if (observed !== undefined) row('observed', observed)
  if (mend !== undefined) row('to fix', mend)
  if (excluded !== undefined) row('not judged', excluded)
  if (judges.length === 0) return 0
  row('judged in', `${judges.length} ${judges.length === 1 ? 'scenario' : 'scenarios'}`)
  for (const { id: scenario, check, title, control } of judges) {
    const twin = control === undefined ? '' : `; control: ${control}`
    terminal.line(wrapped(`${check} (${title}${twin})`, terminal.width, '    ', `  ${scenario}: `))
  }
  terminal.line()
  terminal.line(`Try only this one: ${ownName()} run --config FILE --filter ${id}`)
  return 0
}

function consequence({ keyword, basis }: Requirement): string {
  if (keyword === 'MAY') return 'only reported'
  if (keyword.startsWith('SHOULD')) return 'a violation warns'
  return basis === 'specification'
    ? 'a violation fails the run'
    : 'a violation warns; with --strict it fails the run'
}

function judgesOf({ id }: Requirement, { scenarios }: AnyProfile) {
  return (scenarios as readonly Scenario<unknown>[]).flatMap((scenario) =>
    scenario.checks
      .filter((check) => check.requirement === id)
      .map((check) => ({
        id: scenario.id,
        title: scenario.title,
        check: check.title,
        ...(scenario.control === undefined ? {} : { control: scenario.control }),
      })),
  )
}

/** Other profiles judge a shared requirement in scenarios of their own. */
function alsoIn({ id }: Requirement, profile: AnyProfile): string[] {
  const others = profiles.filter(
    (each) => each !== profile && each.requirements.some((other) => other.id === id),
  )
  return others.map((each) => `also ${each.id} (--profile)`)
}

/** By its id, or by the last part of it where that is enough. */
function find(
  wanted: string,
  only?: string,
): { readonly requirement: Requirement; readonly profile: AnyProfile } {
  const asked = only === undefined ? profiles : [findProfile(only)]
  const all = asked.flatMap((profile) =>
    profile.requirements.map((requirement) => ({ requirement, profile })),
  )
  const exact = all.find(({ requirement }) => requirement.id === wanted)
  if (exact) return exact
  const ending = all.filter(({ requirement }) => requirement.id.endsWith(`/${wanted}`))
  const [first, ...more] = ending
  if (first && more.every(({ requirement }) => requirement.id === first.requirement.id))
    return first
  const scenario = profiles.find(({ scenarios }) =>
    (scenarios as readonly Scenario<unknown>[]).some(({ id }) => id === wanted),
  )
  const near = suggest(
    wanted,
    all.map(({ requirement }) => requirement.id),
  )
  throw new UsageError(`unknown requirement ${JSON.stringify(wanted)}`, [
    ...(near.length > 0 ? [`did you mean ${near.join(', ')}?`] : []),
    ...(scenario
      ? [`it is a scenario of ${scenario.id}: aoc run --profile ${scenario.id} --filter ${wanted}`]
      : []),
    'aoc list requirements shows all',
  ])
}
