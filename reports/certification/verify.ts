/** Verifies a certification bundle: signature, digests, completeness, and the findings judged again. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KeyObject } from 'node:crypto'
import type { AnyProfile } from '../../harness/engine/index.ts'
import { canonicalJson, sha256 } from '../record/catalogue.ts'
import type { Transcripts } from '../views/evidence.ts'
import { formatIds, formatNames } from '../views/format-names.ts'
import { renderers } from '../views/formats.ts'
import { rejudge } from '../record/rejudge.ts'
import { resultsJson } from '../views/results-json.ts'
import { RunRecordError, type RunRecord } from '../record/run-record.ts'
import { readStoredRun, type StoredRun } from '../record/stored-run.ts'
import { attestationFile, BundleError, digestBundle } from './bundle.ts'
import { notCertifiable } from './certification.ts'
import { envelopeSchema, signedBy } from './dsse.ts'
import {
  artifactsOf,
  certificationType,
  filesOf,
  makeStatement,
  payloadType,
  statementSchema,
  type Statement,
} from './statement.ts'

export interface VerifyOptions {
  readonly keys: readonly KeyObject[]
  /** Version of this suite: only the same one judges in the same way. */
  readonly suiteVersion: string
  readonly findProfile: (id: string) => AnyProfile | undefined
  readonly now: Date
}

/** What a bundle proves. */
export interface Verified {
  readonly record: RunRecord
  readonly statement: Statement
  /** Thumbprint of the key that signed it. */
  readonly keyId: string
}

/** @throws {@link BundleError} with the reason why the bundle proves nothing */
export async function verifyBundle(folder: string, options: VerifyOptions): Promise<Verified> {
  const { statement, keyId } = await readAttestation(folder, options)
  const certified = statement.predicate[certificationType]
  const files = digestBundle(folder)
  requireFiles(files, statement)
  requireCurrent(certified, options)
  const { record, transcripts } = judgeAgain(folder, certified.profile, options)
  const reasons = notCertifiable(record)
  if (reasons.length > 0) {
    throw new BundleError(`the run is no certification: ${reasons.join('; ')}`)
  }
  requireReports(files, record, transcripts)
  requireSameStatement(files, record, statement)
  return { record, statement, keyId }
}

async function readAttestation(folder: string, { keys }: VerifyOptions) {
  const envelope = envelopeSchema.safeParse(readJson(folder, attestationFile))
  if (!envelope.success) {
    throw new BundleError(`${attestationFile} is no DSSE envelope: ${firstIssue(envelope.error)}`)
  }
  const keyId = await signedBy(envelope.data, keys)
  if (keyId === undefined) {
    const [{ keyid } = { keyid: '' }] = envelope.data.signatures
    throw new BundleError(
      `the signature does not verify with the given key; the envelope names the key ${JSON.stringify(keyid).slice(0, 100)}`,
    )
  }
  if (envelope.data.payloadType !== payloadType) {
    throw new BundleError(`the signed payload is ${envelope.data.payloadType}, not ${payloadType}`)
  }
  const payload = Buffer.from(envelope.data.payload, 'base64').toString('utf8')
  const statement = statementSchema.safeParse(parseJson(payload))
  if (!statement.success) {
    throw new BundleError(
      `the signed statement is no certification: ${firstIssue(statement.error)}`,
    )
  }
  return { statement: statement.data, keyId }
}

/** The files that are in a bundle, by name, with their digests. */
type Files = ReadonlyMap<string, string>

/** The bundle holds exactly the files that were signed, with exactly their content. */
function requireFiles(found: Files, statement: Statement): void {
  const signed = filesOf(statement)
  for (const [name, digest] of signed) {
    const is = found.get(name)
    if (is === undefined) throw new BundleError(`the signed file ${shown(name)} is missing`)
    if (is !== digest)
      throw new BundleError(`the file ${shown(name)} is not the one that was signed`)
  }
  for (const name of found.keys()) {
    if (!signed.has(name)) throw new BundleError(`the file ${shown(name)} was not signed`)
  }
}

type Certified = Statement['predicate'][typeof certificationType]

function requireCurrent(
  { suite, expires, issued }: Certified,
  { suiteVersion, now }: VerifyOptions,
): void {
  if (new Date(issued) > now) throw new BundleError(`it is issued in the future, at ${issued}`)
  if (new Date(expires) <= now) throw new BundleError(`it expired at ${expires}`)
  if (suite.version !== suiteVersion) {
    throw new BundleError(
      `it was made by suite ${shown(suite.version)}, this is ${suiteVersion}: verify it with that version`,
    )
  }
}

/** The record, once its transcripts have given exactly the findings and the verdict that it states. */
function judgeAgain(folder: string, id: string, { findProfile }: VerifyOptions): StoredRun {
  const profile = findProfile(id)
  if (!profile) throw new BundleError(`this suite has no profile ${shown(id)}`)
  try {
    const stored = readStoredRun(folder)
    if (stored.record.profile !== id) throw new BundleError('the run is of another profile')
    const judged = profile.scenarios.map((scenario) => scenario.id)
    const again = rejudge(stored, profile, { judged, reports: () => true })
    const [difference] = again.differences
    if (difference) {
      throw new BundleError(`judged again, the transcripts give something else: ${difference}`)
    }
    if (resultsJson(again.record) !== resultsJson(stored.record)) {
      throw new BundleError('the sums in results.json are not those of its findings')
    }
    return stored
  } catch (error) {
    if (error instanceof RunRecordError) throw new BundleError(error.message)
    throw error
  }
}

/** People read the reports rather than the record, so these are made again, too. */
function requireReports(files: Files, record: RunRecord, transcripts: Transcripts): void {
  for (const id of formatIds) {
    const { file } = formatNames[id]
    const digest = files.get(file)
    if (digest !== undefined && digest !== sha256(renderers[id](record, transcripts))) {
      throw new BundleError(`${file} does not say what the run record says`)
    }
  }
}

/** What was signed says nothing but what the run says. */
function requireSameStatement(files: Files, record: RunRecord, statement: Statement): void {
  const { issued, expires } = statement.predicate[certificationType]
  const expected = makeStatement({
    record,
    files,
    artifacts: artifactsOf(statement),
    issued: new Date(issued),
    expires: new Date(expires),
  })
  if (canonicalJson(expected) !== canonicalJson(statement)) {
    throw new BundleError('the signed statement does not say what the run record says')
  }
}

function readJson(folder: string, file: string): unknown {
  try {
    return parseJson(readFileSync(join(folder, file), 'utf8'))
  } catch (error) {
    throw new BundleError(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code}`)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function firstIssue(error: {
  issues: readonly { path: PropertyKey[]; message: string }[]
}): string {
  const [issue] = error.issues
  return `${issue?.path.map(String).join('.') || 'the whole'}: ${issue?.message}`
}

function shown(text: string): string {
  return JSON.stringify(text).slice(0, 200)
}
