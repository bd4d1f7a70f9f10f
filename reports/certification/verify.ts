/** Verifies a certification bundle: signature, digests, completeness, and the findings judged again. */

import { join } from 'node:path'
import type { KeyObject } from 'node:crypto'
import {
  madeOtherwise,
  readRegularFile,
  runLog,
  type AnyProfile,
} from '../../harness/engine/index.ts'
import { canonicalJson, sha256 } from '../record/catalogue.ts'
import type { Transcripts } from '../views/evidence.ts'
import { formatIds, formatNames } from '../views/format-names.ts'
import { renderers } from '../views/formats.ts'
import { judgingCode } from '../record/judging-code.ts'
import { rejudge } from '../record/rejudge.ts'
import { resultsJson } from '../views/results-json.ts'
import { RunRecordError, type RunRecord } from '../record/run-record.ts'
import { readStoredRun, transcriptFile, type StoredRun } from '../record/stored-run.ts'
import { attestationFile, BundleError, digestBundle } from './bundle.ts'
import { notCertifiable, validDays } from './certification.ts'
import { contradictions, type Installed } from './contradictions.ts'
import { duplicateKey } from './duplicate-keys.ts'
import { envelopeSchema, signedBy } from './dsse.ts'
import { certifiedSettings } from './settings.ts'
import {
  artifactsOf,
  certificationType,
  filesOf,
  makeStatement,
  payloadType,
  statementSchema,
  type Statement,
} from './statement.ts'

export interface VerifyOptions extends Installed {
  readonly keys: readonly KeyObject[]
  readonly findProfile: (id: string) => AnyProfile | undefined
  readonly now: Date
  /** What the run must have been made for. */
  readonly nonce?: string | undefined
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
  const profile = requireProfile(certified, options)
  const files = digestBundle(folder)
  requireFiles(files, statement)
  requireKnown(files, profile)
  requireCurrent(certified, options)
  const stored = readRun(folder, profile)
  const { record } = stored
  requireCertification(stored, profile, options)
  requireDates(certified, record)
  requireNonce(stored, options.nonce)
  requireSameStatement(files, record, statement, profile)
  requireCanonical(folder, record)
  judgeAgain(stored, profile)
  requireReports(files, record, stored.transcripts)
  return { record, statement, keyId }
}

async function readAttestation(folder: string, { keys }: VerifyOptions) {
  const text = readText(folder, attestationFile, largestAttestation)
  const envelope = envelopeSchema.safeParse(parseJson(text))
  if (!envelope.success) {
    throw new BundleError(
      `${attestationFile} is not a DSSE envelope: ${firstIssue(envelope.error)}`,
    )
  }
  requireNoDuplicates(text, attestationFile)
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
      `the signed statement is not a certification: ${firstIssue(statement.error)}`,
    )
  }
  requireNoDuplicates(payload, 'the signed statement')
  return { statement: statement.data, keyId }
}

/** A statement names some hundred files. */
const largestAttestation = 4 * 1024 * 1024

function requireNoDuplicates(json: string, what: string): void {
  const key = duplicateKey(json)
  if (key !== undefined) throw new BundleError(`${what} has the key ${shown(key)} twice`)
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

/** Nothing but what a run leaves: other files could be taken for a part of the certification. */
function requireKnown(found: Files, profile: AnyProfile): void {
  const known = new Set([
    'results.json',
    ...formatIds.map((id) => formatNames[id].file),
    ...[...profile.scenarios.map(({ id }) => id), runLog].map(transcriptFile),
  ])
  for (const name of found.keys()) {
    if (!known.has(name)) throw new BundleError(`no run leaves a file ${shown(name)}`)
  }
}

/** What a registry can have (Semantic Versioning 2.0.0, without build metadata). */
const released = /^\d+\.\d+\.\d+(-[\w.-]{1,60})?$/

function requireProfile(
  { suite, code, profile: id }: Certified,
  options: VerifyOptions,
): AnyProfile {
  const { name, version } = options.suite
  if (suite.name !== name) {
    throw new BundleError(`it was made by ${shown(suite.name)}, this is ${name}`)
  }
  if (suite.version !== version) {
    const install = released.test(suite.version) ? `: npx ${name}@${suite.version} verify` : ''
    throw new BundleError(
      `it was made by version ${shown(suite.version)}, this is ${version}: verify it with that version${install}`,
    )
  }
  if (code !== judgingCode()) {
    throw new BundleError(
      `it was judged by other code than this installation has, although both are called ${version}: one of them was changed; verify it with the release: npx ${name}@${version} verify`,
    )
  }
  const profile = options.findProfile(id)
  if (!profile) throw new BundleError(`this suite has no profile ${shown(id)}`)
  return profile
}

function requireCurrent({ expires, issued }: Certified, { now }: VerifyOptions): void {
  if (new Date(issued) > now) throw new BundleError(`it is issued in the future, at ${issued}`)
  if (new Date(expires) <= now) throw new BundleError(`it expired at ${expires}`)
}

const day = 24 * 3600 * 1000

/** What was run is signed at once, and for so long as a certification is valid. */
function requireDates({ issued, expires }: Certified, { finished }: RunRecord): void {
  const [from, to, end] = [Date.parse(issued), Date.parse(expires), Date.parse(finished)]
  if (from < end) throw new BundleError('it was issued before the run had finished')
  if (from - end > day) throw new BundleError('it was issued more than a day after the run')
  if (to - from > validDays * day) {
    throw new BundleError(`it is valid for more than ${validDays} days`)
  }
}

function readRun(folder: string, profile: AnyProfile): StoredRun {
  const stored = usingRecord(() => readStoredRun(folder))
  if (stored.record.profile !== profile.id) throw new BundleError('the run is of another profile')
  return stored
}

function requireCertification(stored: StoredRun, profile: AnyProfile, installed: Installed): void {
  const reasons = notCertifiable(stored.record)
  if (reasons.length > 0) {
    throw new BundleError(`the run is not a certification: ${reasons.join('; ')}`)
  }
  const [contradiction, ...more] = contradictions(stored, profile, installed)
  if (contradiction === undefined) return
  const rest = more.length > 0 ? `, and ${more.length} more` : ''
  throw new BundleError(
    `results.json contradicts itself or the recordings: ${contradiction}${rest}`,
  )
}

/** The names in every recording were made for the nonce that the run states. */
function requireNonce({ record: { nonce }, transcripts }: StoredRun, asked: string | undefined) {
  if (asked !== undefined && nonce !== asked) {
    const made = nonce === undefined ? 'without a nonce' : 'for another nonce'
    throw new BundleError(`the run was made ${made}`)
  }
  if (nonce === undefined) return
  for (const [id, transcript] of transcripts) {
    if (madeOtherwise(JSON.stringify(transcript.events), nonce)) {
      throw new BundleError(`the names in the recording of ${id} were not made for its nonce`)
    }
  }
}

/** Byte for byte as the suite writes it, so that no reader finds something else in it. */
function requireCanonical(folder: string, record: RunRecord): void {
  if (readText(folder, 'results.json') !== resultsJson(record)) {
    throw new BundleError('results.json is not as the suite writes it')
  }
  const recordings = [...record.scenarios.map(({ id }) => id), runLog]
  for (const file of recordings.map(transcriptFile)) {
    for (const line of readText(folder, file).split('\n').filter(Boolean)) {
      if (JSON.stringify(JSON.parse(line)) === line) continue
      throw new BundleError(`${file} is not as the suite writes it`)
    }
  }
}

/** Its transcripts give exactly the findings and the verdict that the record states. */
function judgeAgain(stored: StoredRun, profile: AnyProfile): void {
  const judged = profile.scenarios.map((scenario) => scenario.id)
  const again = usingRecord(() => rejudge(stored, profile, { judged, reports: () => true }))
  const [difference] = again.differences
  if (difference) {
    throw new BundleError(`judged again, the transcripts give another result: ${difference}`)
  }
  if (resultsJson(again.record) !== resultsJson(stored.record)) {
    throw new BundleError('the sums in results.json are not those of its findings')
  }
}

function usingRecord<T>(read: () => T): T {
  try {
    return read()
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
function requireSameStatement(
  files: Files,
  record: RunRecord,
  statement: Statement,
  profile: AnyProfile,
): void {
  const { issued, expires } = statement.predicate[certificationType]
  const expected = makeStatement({
    record,
    files,
    artifacts: artifactsOf(statement),
    settings: certifiedSettings(record, profile),
    issued: new Date(issued),
    expires: new Date(expires),
  })
  if (canonicalJson(expected) !== canonicalJson(statement)) {
    throw new BundleError('the signed statement does not say what the run record says')
  }
}

function readText(folder: string, file: string, largest?: number): string {
  try {
    return readRegularFile(join(folder, file), largest)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new BundleError(`cannot read ${file}: ${code ?? message}`)
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
