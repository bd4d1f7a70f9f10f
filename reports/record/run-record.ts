/** The run record: the machine-readable result of a whole run, of which every report is a view. */

import { z } from 'zod'
import { nonceShape } from '../../harness/engine/names.ts'
import { diagramSchema } from '../../harness/engine/diagram.ts'

/** Names the file type; a reader looks at it before anything else. */
export const runRecordFormat = 'agent-oauth-conformance/run-record'
/** Version of the stored form; a reader refuses any other. */
export const runRecordVersion = 2

const verdict = z.enum(['pass', 'fail', 'warn', 'inconclusive', 'not-offered', 'not-applicable'])
const keyword = z.enum(['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT', 'MAY'])
const basis = z.enum(['specification', 'best-practice'])
/** `sha256:` and 64 hexadecimal digits. */
const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/)
/** Path of a file of the run, relative to `results.json`. */
const fileOfRun = z.strictObject({ file: z.string(), digest })
const count = z.number().int().nonnegative()
const milliseconds = z.number().nonnegative()

const finding = z
  .strictObject({
    requirement: z.string(),
    scenario: z.string(),
    title: z.string(),
    verdict,
    keyword,
    basis,
    source: z.string(),
    /** Who the requirement is about, where not every correct implementation is. */
    appliesTo: z.string().exactOptional(),
    message: z.string(),
    expected: z.string().exactOptional(),
    actual: z.string().exactOptional(),
    evidence: z
      .array(z.strictObject({ scenario: z.string(), seq: z.number() }).readonly())
      .readonly(),
  })
  .readonly()

const scenario = z.strictObject({
  id: z.string(),
  title: z.string(),
  control: z.string().exactOptional(),
  /** How the driving ended; `unfinished` when the recording stops before an end. */
  outcome: z.enum([
    'completed',
    'unreached',
    'not-offered',
    'not-applicable',
    'aborted',
    'error',
    'unfinished',
  ]),
  reason: z.string().exactOptional(),
  /** From its first event to its last. */
  durationMs: milliseconds,
  /** Absent when the scenario recorded nothing. */
  transcript: fileOfRun.exactOptional(),
})

const requirement = z.strictObject({
  id: z.string(),
  keyword,
  basis,
  source: z.string(),
  /** Where the sections of the source stand on the web. */
  links: z.array(z.strictObject({ text: z.string(), url: z.string() })).readonly(),
  /** The revision of the document from which on it holds. */
  since: z.string().exactOptional(),
  /** Who it is about, where not every correct implementation is. */
  appliesTo: z.string().exactOptional(),
  text: z.string(),
  /** How an implementation that breaks it is usually mended. */
  mend: z.string().exactOptional(),
  /** The worst verdict over all scenarios; `excluded` rows have no check; `not-judged` were filtered out. */
  verdict: z.enum([...verdict.options, 'excluded', 'not-judged']),
  /** Why no outside observer can judge it. */
  excluded: z.string().exactOptional(),
  /** The scenarios that judged it in this run. */
  scenarios: z.array(z.string()).readonly(),
})

/** The run record in its stored form. */
export const runRecordSchema = z
  .strictObject({
    format: z.literal(runRecordFormat),
    version: z.literal(runRecordVersion),
    run: z.string(),
    /** What a relying party gave to show that the run is no older. */
    nonce: z.string().regex(nonceShape).exactOptional(),
    suite: z.strictObject({
      name: z.string(),
      version: z.string(),
      /**
       * What was asked: digest of requirements, scenarios and checks (see `catalogueDigest`), and of the code that asked
       * and judged (see `judgingCode`).
       */
      catalogue: z.strictObject({
        digest,
        code: digest,
        requirements: count,
        scenarios: count,
        checks: count,
      }),
    }),
    profile: z.string(),
    /** The document that the requirements are taken from. */
    specification: z.strictObject({
      title: z.string(),
      revision: z.string(),
      published: z.string(),
    }),
    /** Who speaks to whom: lanes and channels of the sequence diagrams. */
    diagram: diagramSchema,
    /** As its vendor declared it. */
    implementation: z.strictObject({ name: z.string(), version: z.string().exactOptional() }),
    verdict: z.enum(['conformant', 'non-conformant', 'inconclusive']),
    strict: z.boolean(),
    /** What was left out; such a run certifies nothing. */
    partial: z.union([
      z.literal(false),
      z.strictObject({
        filters: z.array(z.string()).readonly(),
        /** Which part of the scenarios, counted from 1. */
        shard: z.strictObject({ index: count, of: count }).exactOptional(),
      }),
    ]),
    /** The known findings that it was held against; such a run certifies nothing. */
    baseline: z.union([
      z.literal(false),
      z.strictObject({
        known: z
          .array(
            z.strictObject({
              requirement: z.string(),
              scenario: z.string(),
              verdict: z.enum(['fail', 'inconclusive', 'not-offered']),
              reason: z.string(),
            }),
          )
          .readonly(),
        /** Why the baseline is out of date; empty when it is not. */
        problems: z.array(z.string()).readonly(),
      }),
    ]),
    /** One of several runs of which the others may have ended otherwise; such a run certifies nothing. */
    repetition: z.union([z.literal(false), z.strictObject({ number: count, of: count })]),
    /** The signal that ended the run before its time. */
    interrupted: z.union([z.literal(false), z.string()]),
    /** Durations that verdicts depend on, in milliseconds. */
    settings: z.strictObject({
      ackMs: milliseconds,
      stepMs: milliseconds,
      observeMs: milliseconds,
      maxWaitMs: milliseconds,
      graceMs: milliseconds,
      concurrency: count,
    }),
    /** The configuration as used, defaults resolved, without secrets. */
    configuration: z.record(z.string(), z.unknown()),
    /** What the vendor declared, as checks know it. */
    declared: z.record(z.string(), z.unknown()),
    /** What the run found out or chose, for example the provider's address. */
    facts: z.record(z.string(), z.unknown()),
    environment: z.strictObject({ node: z.string(), platform: z.string(), suite: z.string() }),
    started: z.iso.datetime(),
    finished: z.iso.datetime(),
    durationMs: milliseconds,
    /** By how many milliseconds the clock of the machine jumped meanwhile, where it did. */
    clockJumpMs: z.number().int().exactOptional(),
    counts: z.strictObject({
      pass: count,
      fail: count,
      warn: count,
      inconclusive: count,
      'not-offered': count,
      'not-applicable': count,
    }),
    /** The scenario that must work before others are tried. */
    gate: z.string(),
    scenarios: z.array(scenario).readonly(),
    /** The recording of what belongs to no scenario: output of the implementation, stray requests. */
    log: fileOfRun.exactOptional(),
    requirements: z.array(requirement).readonly(),
    findings: z.array(finding).readonly(),
    /** Where the harness itself broke; never the implementation's failure. */
    failures: z.array(z.strictObject({ scenario: z.string(), message: z.string() })).readonly(),
    exit: z.strictObject({ code: count, reason: z.string() }),
  })
  .readonly()

/** The result of a whole run. */
export type RunRecord = z.infer<typeof runRecordSchema>
/** How the driving of one scenario ended. */
export type ScenarioRecord = RunRecord['scenarios'][number]
/** A requirement with its verdict over all scenarios. */
export type RequirementRecord = RunRecord['requirements'][number]

/** A run record that cannot be read: not one at all, of another version, or damaged. */
export class RunRecordError extends Error {
  readonly code = 'invalid_run_record'
  constructor(message: string) {
    super(message)
    this.name = 'RunRecordError'
  }
}

/** Validates a stored run record. @throws {@link RunRecordError} */
export function parseRunRecord(input: unknown): RunRecord {
  const { format, version } = (input ?? {}) as {
    readonly format?: unknown
    readonly version?: unknown
  }
  if (format !== runRecordFormat) {
    throw new RunRecordError(
      `not a run record: format is ${show(format)}, not "${runRecordFormat}"`,
    )
  }
  if (version !== runRecordVersion) {
    throw new RunRecordError(
      `run record of version ${show(version)}; this suite reads version ${runRecordVersion}${typeof version === 'number' && version < runRecordVersion ? ', so run the certification again' : ', so read it with a newer suite'}`,
    )
  }
  const parsed = runRecordSchema.safeParse(input)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new RunRecordError(`damaged run record: ${issue?.path.join('.')}: ${issue?.message}`)
}

function show(value: unknown): string {
  return value === undefined ? 'missing' : JSON.stringify(value).slice(0, 80)
}
