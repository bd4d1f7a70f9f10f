/** Sorts what did not pass by its cause, so that one cause is told once: in every view of a run, by the same rules. */

import type { Finding } from '../../harness/engine/index.ts'
import type { RunRecord } from './run-record.ts'

/** One requirement broken in one way, wherever it shows. */
export interface Problem {
  readonly finding: Finding
  /** Further scenarios with the same requirement and message. */
  readonly also: readonly string[]
}

/** Findings that have one reason why they could not be judged. */
export interface Unjudged {
  /** What has to work first: a requirement, or a scenario where no requirement is known to be broken. */
  readonly until?: { readonly requirement: string } | { readonly scenario: string }
  /** Where it stopped, or why nothing is proven. */
  readonly reason: string
  readonly findings: readonly Finding[]
}

/** What did not pass, each cause once. */
export interface Told {
  /** What was found where nothing else stood in the way. */
  readonly failures: readonly Problem[]
  readonly warnings: readonly Problem[]
  /** Found where the undisturbed twin did not work either: perhaps for the same reason. */
  readonly consequences: readonly Problem[]
  /** The most findings first. */
  readonly unjudged: readonly Unjudged[]
  /** By scenario: what a correct implementation need not offer. */
  readonly notOffered: ReadonlyMap<string, string>
}

/** What is to be told of these findings of a run. */
export function told(record: RunRecord, findings: readonly Finding[] = record.findings): Told {
  const having = (verdict: Finding['verdict']): Finding[] =>
    findings.filter((each) => each.verdict === verdict)
  const causes = causesIn(record)
  const stands = ({ scenario }: Finding): boolean => causes.rootOf(scenario) === scenario
  const [failed, warned] = [problems(having('fail'), stands), problems(having('warn'), stands)]
  const standing = ({ finding }: Problem): boolean => stands(finding)
  return {
    failures: failed.filter(standing),
    warnings: warned.filter(standing),
    consequences: [...failed, ...warned].filter((each) => !standing(each)),
    unjudged: unjudged(having('inconclusive'), causes),
    notOffered: new Map(having('not-offered').map(({ scenario, message }) => [scenario, message])),
  }
}

interface Causes {
  /** The scenario that has to work first; itself, where nothing stands in its way. */
  readonly rootOf: (scenario: string) => string
  /**
   * What has to work before a finding can be judged: what was found broken in the same words, or in the scenario that
   * has to work first; `undefined` where that is not known.
   */
  readonly causeOf: (finding: Finding) => Unjudged['until']
  readonly reasonOf: (scenario: string) => string | undefined
}

function causesIn({ scenarios, findings, gate }: RunRecord): Causes {
  const byId = new Map(scenarios.map((each) => [each.id, each]))
  const works = (id: string): boolean => byId.get(id)?.outcome === 'completed'
  const rootOf = (id: string, seen: readonly string[] = []): string => {
    const scenario = byId.get(id)
    const control = scenario?.outcome === 'aborted' && id !== gate ? gate : scenario?.control
    if (control === undefined || works(control) || !byId.has(control) || seen.includes(id))
      return id
    return rootOf(control, [...seen, id])
  }
  const brokenIn = (scenario: string): string | undefined => {
    const own = findings.filter((each) => each.scenario === scenario)
    const worst = own.find(({ verdict }) => verdict === 'fail')
    return (worst ?? own.find(({ verdict }) => verdict === 'warn'))?.requirement
  }
  return {
    rootOf,
    causeOf({ scenario, message }) {
      const own = rootOf(scenario)
      // Where not even the gate works, little else can be judged.
      const root = own === scenario && !works(gate) && byId.has(gate) ? gate : own
      const same = findings.find((each) => each.verdict === 'fail' && each.message === message)
      const requirement = same?.requirement ?? (works(root) ? undefined : brokenIn(root))
      if (requirement !== undefined) return { requirement }
      return root === scenario ? undefined : { scenario: root }
    },
    reasonOf: (scenario) => byId.get(scenario)?.reason,
  }
}

/** Each shown where nothing else stood in the way, if there is such a place. */
function problems(findings: readonly Finding[], stands: (finding: Finding) => boolean): Problem[] {
  const same = grouped(findings, ({ requirement, message }) => `${requirement} ${message}`)
  return same.flatMap((group) => {
    const finding = group.find(stands) ?? group[0]
    if (!finding) return []
    const also = new Set(group.map(({ scenario }) => scenario))
    also.delete(finding.scenario)
    return [{ finding, also: [...also] }]
  })
}

function unjudged(findings: readonly Finding[], causes: Causes): Unjudged[] {
  const { reasonOf } = causes
  const uncaused = findings.filter((each) => causes.causeOf(each) === undefined)
  const shared = new Set(uncaused.map((each) => general(ownReason(each, reasonOf))))
  // What has to work first is not what is missing where it was stopped by the same: nothing could be started.
  const causeOf = (finding: Finding): Unjudged['until'] => {
    const until = causes.causeOf(finding)
    const stopped = (): boolean => shared.has(general(ownReason(finding, reasonOf)))
    return until && 'scenario' in until && stopped() ? undefined : until
  }
  const groups = grouped(findings, (finding) => {
    const until = causeOf(finding)
    return JSON.stringify(until ?? general(ownReason(finding, reasonOf)))
  })
  return groups
    .flatMap((own): Unjudged[] => {
      const [first] = own
      if (!first) return []
      const until = causeOf(first)
      if (!until) return [{ reason: ownReason(first, reasonOf), findings: own }]
      const reason = 'scenario' in until ? reasonOf(until.scenario) : undefined
      return [{ until, reason: reason ?? 'it did not complete', findings: own }]
    })
    .toSorted((a, b) => b.findings.length - a.findings.length)
}

/** Where the scenario stopped, if that is why; otherwise what the check says. */
function ownReason(
  { scenario, message }: Finding,
  reasonOf: (scenario: string) => string | undefined,
): string {
  const stopped = reasonOf(scenario)
  if (stopped !== undefined && message.endsWith(stopped)) return stopped
  // What died half-way proves nothing, whatever each check saw until then.
  return /^(the implementation did not survive the run: .*?) \(.*\)$/.exec(message)?.[1] ?? message
}

/** Calls of different names that wait for the same. */
function general(reason: string): string {
  return reason.replaceAll(/\bcall-\d+\b/g, 'a call')
}

function grouped(
  findings: readonly Finding[],
  key: (finding: Finding) => string,
): (readonly Finding[])[] {
  const groups = new Map<string, Finding[]>()
  for (const finding of findings) {
    const group = groups.get(key(finding))
    if (group) group.push(finding)
    else groups.set(key(finding), [finding])
  }
  return [...groups.values()]
}
