/** The attestation of a certification: an in-toto Statement v1 with the published test-result predicate. */

import { z } from 'zod'
import { canonicalJson, sha256 } from '../record/catalogue.ts'
import { bindsUnseen } from '../../harness/engine/index.ts'
import type { RunRecord } from '../record/run-record.ts'

/** Media type of the signed statement (in-toto Attestation Framework v1, Envelope). */
export const payloadType = 'application/vnd.in-toto+json'
const statementType = 'https://in-toto.io/Statement/v1'
const predicateType = 'https://in-toto.io/attestation/test-result/v0.1'
/** Names the fields that the published predicate does not have. */
export const certificationType = 'urn:agent-oauth-conformance:certification:v1'

const digestSet = z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/) })
const subject = z.strictObject({ name: z.string(), digest: digestSet })
export type Subject = z.infer<typeof subject>

const certification = z.strictObject({
  suite: z.strictObject({ name: z.string(), version: z.string() }),
  profile: z.string(),
  /** The document that the requirements are taken from. */
  specification: z.strictObject({
    title: z.string(),
    revision: z.string(),
    published: z.string(),
  }),
  /** Digest of the requirements, scenarios and checks that were asked. */
  catalogue: z.string(),
  /** Digest of the code that asked and judged. */
  code: z.string(),
  implementation: z.strictObject({ name: z.string(), version: z.string().exactOptional() }),
  verdict: z.enum(['conformant', 'non-conformant', 'inconclusive']),
  strict: z.boolean(),
  /** What was set otherwise than everybody has it, and how lenient the provider was. */
  settings: z.record(z.string(), z.json()),
  run: z.string(),
  nonce: z.string().exactOptional(),
  issued: z.iso.datetime(),
  expires: z.iso.datetime(),
})

export const statementSchema = z.strictObject({
  _type: z.literal(statementType),
  subject: z.array(subject).min(1),
  predicateType: z.literal(predicateType),
  predicate: z.strictObject({
    result: z.enum(['PASSED', 'WARNED', 'FAILED']),
    configuration: z.array(z.strictObject({ name: z.string(), digest: digestSet })),
    passedTests: z.array(z.string()),
    warnedTests: z.array(z.string()),
    failedTests: z.array(z.string()),
    [certificationType]: certification,
  }),
})
export type Statement = z.infer<typeof statementSchema>

export interface StatementParts {
  readonly record: RunRecord
  /** Files of the bundle by name, with their content's digest (`sha256:<hex>`). */
  readonly files: ReadonlyMap<string, string>
  /** What was certified, where its vendor can name it by digest: name → digest. */
  readonly artifacts: ReadonlyMap<string, string>
  /** See `certifiedSettings`. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly issued: Date
  readonly expires: Date
}

/** Prefix of the subject that stands for the implementation as it was declared. */
const implementationSubject = 'implementation:'
/** Prefix of the subjects that stand for what was certified, by digest. */
const artifactSubject = 'artifact:'

/** The statement about a run and the files of its bundle. */
export function makeStatement({
  record,
  files,
  artifacts,
  settings,
  issued,
  expires,
}: StatementParts): Statement {
  const having = (...verdicts: readonly string[]): string[] =>
    record.requirements.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id)
  // Nowhere offered: nothing proves what is binding, unless it is about nothing else.
  const unproven = record.requirements.filter(
    (each) => each.verdict === 'not-offered' && bindsUnseen(each, record.strict),
  )
  const results = files.get('results.json')
  return {
    _type: statementType,
    subject: [
      declaredSubject(record.implementation),
      ...[...artifacts].map(([name, digest]) => subjectOf(artifactSubject + name, digest)),
      ...[...files].map(([name, digest]) => subjectOf(name, digest)),
    ],
    predicateType,
    predicate: {
      result: resultOf(record),
      configuration: results === undefined ? [] : [subjectOf('results.json', results)],
      passedTests: having('pass'),
      warnedTests: having('warn'),
      failedTests: [...having('fail', 'inconclusive'), ...unproven.map(({ id }) => id)],
      [certificationType]: {
        suite: { name: record.suite.name, version: record.suite.version },
        profile: record.profile,
        specification: record.specification,
        catalogue: record.suite.catalogue.digest,
        code: record.suite.catalogue.code,
        implementation: record.implementation,
        verdict: record.verdict,
        strict: record.strict,
        settings: settings as Statement['predicate'][typeof certificationType]['settings'],
        run: record.run,
        ...(record.nonce === undefined ? {} : { nonce: record.nonce }),
        issued: issued.toISOString(),
        expires: expires.toISOString(),
      },
    },
  }
}

/** What the test-result predicate calls it; what is unproven has not passed. */
function resultOf({ verdict, counts }: RunRecord): 'PASSED' | 'WARNED' | 'FAILED' {
  if (verdict !== 'conformant') return 'FAILED'
  return counts.warn > 0 ? 'WARNED' : 'PASSED'
}

/** An implementation is no file: its digest is that of the canonical JSON of its declared name and version. */
function declaredSubject(implementation: RunRecord['implementation']): Subject {
  const { name, version } = implementation
  const shown = version === undefined ? name : `${name}@${version}`
  return subjectOf(implementationSubject + shown, sha256(canonicalJson(implementation)))
}

/** The artefacts that a statement names: name → digest (`sha256:<hex>`). */
export function artifactsOf({ subject }: Statement): Map<string, string> {
  const own = subject.filter(({ name }) => name.startsWith(artifactSubject))
  return new Map(
    own.map(({ name, digest }) => [name.slice(artifactSubject.length), `sha256:${digest.sha256}`]),
  )
}

/** The files of the bundle that a statement names: name → digest (`sha256:<hex>`). */
export function filesOf({ subject }: Statement): Map<string, string> {
  const own = subject.filter(
    ({ name }) => !name.startsWith(implementationSubject) && !name.startsWith(artifactSubject),
  )
  return new Map(own.map(({ name, digest }) => [name, `sha256:${digest.sha256}`]))
}

function subjectOf(name: string, digest: string): Subject {
  return { name, digest: { sha256: digest.replace(/^sha256:/, '') } }
}
