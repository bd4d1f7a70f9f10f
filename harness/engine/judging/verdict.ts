/** Verdicts, requirements and findings: the vocabulary that every judgement is stated in. */

/**
 * `not-applicable` comes only from what a vendor declared; `not-offered` from the recordings of the whole run, where the
 * scenario needs what a correct implementation need not have; `inconclusive` means that the proof is missing.
 */
export type Verdict = 'pass' | 'fail' | 'warn' | 'inconclusive' | 'not-offered' | 'not-applicable'

/** RFC 2119 keyword of a requirement; it sets the severity of a violation. */
export type Keyword = 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT' | 'MAY'

/** Who demands it: the protocol document itself, or OAuth's own rules around it. */
export type Basis = 'specification' | 'best-practice'

/** One normative statement. `id` is stable, never reused, and the key of it everywhere. */
export interface Requirement {
  readonly id: string
  readonly keyword: Keyword
  readonly basis: Basis
  /** Document and section, for example `RAP OAuth, Error Handling` or `RFC 6749 §10.12`. */
  readonly source: string
  /** The revision of the document from which on it holds, where earlier ones did not say so. */
  readonly since?: string
  /** Who it is about, where not every correct implementation is: a run that shows none of it needs no proof. */
  readonly appliesTo?: string
  /** The statement in our words. */
  readonly text: string
  /** How a run observes it; absent on an excluded row. */
  readonly observed?: string
  /** How an implementation that breaks it is usually mended, in a sentence or two. */
  readonly mend?: string
  /** Why no outside observer can judge it; an excluded row has no check. */
  readonly excluded?: string
}

/** Points at an event of a transcript. */
export interface Evidence {
  readonly scenario: string
  readonly seq: number
}

/** What a check concludes, before the keyword turns a violation into `fail` or `warn`. */
export interface Judgement {
  readonly outcome: 'pass' | 'violation' | 'inconclusive' | 'not-offered' | 'not-applicable'
  readonly message: string
  readonly expected?: string
  readonly actual?: string
  readonly evidence: readonly Evidence[]
}

/** A judgement of one requirement in one scenario. */
export interface Finding {
  readonly requirement: string
  readonly scenario: string
  readonly title: string
  readonly verdict: Verdict
  readonly keyword: Keyword
  readonly basis: Basis
  readonly source: string
  /** That of the requirement. */
  readonly appliesTo?: string
  readonly message: string
  readonly expected?: string
  readonly actual?: string
  readonly evidence: readonly Evidence[]
}

/** The verdict over a whole run. */
export type RunVerdict = 'conformant' | 'non-conformant' | 'inconclusive'

/** Turns the outcome of a check into a verdict (design: "Verdict rules"). */
export function verdictOf(
  outcome: Judgement['outcome'],
  requirement: Pick<Requirement, 'keyword' | 'basis'>,
  strict: boolean,
): Verdict {
  if (outcome !== 'violation') return outcome
  return isBinding(requirement, strict) ? 'fail' : 'warn'
}

/** Whether breaking this requirement makes an implementation non-conformant. */
export function isBinding(
  requirement: Pick<Requirement, 'keyword' | 'basis'>,
  strict: boolean,
): boolean {
  const demanded = requirement.keyword === 'MUST' || requirement.keyword === 'MUST NOT'
  return demanded && (requirement.basis === 'specification' || strict)
}

/** Whether it also binds an implementation that does nothing of what it is about, so that it has to be proven of all. */
export function bindsUnseen(
  requirement: Pick<Requirement, 'keyword' | 'basis' | 'appliesTo'>,
  strict: boolean,
): boolean {
  return requirement.appliesTo === undefined && isBinding(requirement, strict)
}

/**
 * The findings that leave a binding requirement without proof: every inconclusive one, and those that were not offered
 * where no other scenario proves the requirement, unless it is about nothing else (`appliesTo`).
 */
export function unproven(findings: readonly Finding[], strict: boolean): Finding[] {
  const proven = new Set(findings.filter(({ verdict }) => verdict === 'pass').map(requirementOf))
  return findings.filter(
    (finding) =>
      (finding.verdict === 'inconclusive' && isBinding(finding, strict)) ||
      (finding.verdict === 'not-offered' &&
        bindsUnseen(finding, strict) &&
        !proven.has(requirementOf(finding))),
  )
}

function requirementOf({ requirement }: Finding): string {
  return requirement
}

/**
 * The verdict over all findings: one `fail` is non-conformant; otherwise one binding requirement
 * without proof is inconclusive, and so is a run in which nothing passed.
 */
export function runVerdict(findings: readonly Finding[], strict: boolean): RunVerdict {
  if (findings.some((finding) => finding.verdict === 'fail')) return 'non-conformant'
  const passed = findings.some((finding) => finding.verdict === 'pass')
  return passed && unproven(findings, strict).length === 0 ? 'conformant' : 'inconclusive'
}
