/** What every attack begins with: a recorded run that its vendor signed, in a copy to forge. */

import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { exitOf } from '../../cli/outcome/decide-exit.ts'
import { packageInfo } from '../../cli/package-info.ts'
import {
  certifiedSettings,
  digestBundle,
  generateKeys,
  makeStatement,
  parseRunRecord,
  payloadType,
  readPrivateKey,
  readPublicKeys,
  readResults,
  resultsJson,
  sha256,
  signEnvelope,
  verifyBundle,
  type RunRecord,
} from '../../reports/index.ts'
import { profiles } from '../../suites/registry.ts'
import { recordedRun } from '../recorded-runs.ts'
import { scratch } from '../run-cli.ts'

export const { folder: honest } = await recordedRun('rap-oauth/tool')
const profile = profiles.find(({ id }) => id === 'rap-oauth/tool')!
const pair = generateKeys('ed25519')
export const key = readPrivateKey(pair.privateKey)
export const transcript = 'transcripts/denied-consent.jsonl'

/** How many attacks ended how. */
export const figures = { refused: 0, detected: 0, bounded: 0 }

const folders: string[] = []

/** A folder that is removed after the test. */
export function home(): string {
  const folder = scratch()
  folders.push(folder)
  return folder
}

export function removeHomes(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

let signed: Promise<string> | undefined

/** Signed once, since most attacks come after that. */
async function signedRun(): Promise<string> {
  const bundle = join(scratch(), 'bundle')
  cpSync(honest, bundle, { recursive: true })
  await sign(bundle)
  return bundle
}

/** A copy of the run as a bundle that its vendor signed. */
export async function copy(): Promise<string> {
  signed ??= signedRun()
  const bundle = join(home(), 'bundle')
  cpSync(await signed, bundle, { recursive: true })
  return bundle
}

export async function removeSigned(): Promise<void> {
  if (signed) rmSync(join(await signed, '..'), { recursive: true, force: true })
}

export interface Signing {
  readonly issued?: Date
  readonly days?: number
  readonly statement?: (statement: object) => object
  readonly payload?: (json: string) => string
}

export async function sign(bundle: string, signing: Signing = {}): Promise<void> {
  const record = readResults(join(bundle, 'results.json'))
  const { issued = new Date(), days = 365, statement = (s) => s, payload = (p) => p } = signing
  const made = makeStatement({
    record,
    files: digestBundle(bundle),
    artifacts: new Map(),
    settings: certifiedSettings(record, profile),
    issued,
    expires: new Date(issued.getTime() + days * 24 * 3600 * 1000),
  })
  const json = payload(JSON.stringify(statement(made)))
  const envelope = await signEnvelope(payloadType, Buffer.from(json), key)
  writeFileSync(join(bundle, 'attestation.json'), JSON.stringify(envelope))
}

export async function verify(
  bundle: string,
  keys = readPublicKeys(pair.publicKey),
): Promise<string> {
  const { record } = await verifyBundle(bundle, {
    keys,
    suite: packageInfo,
    decideExit: exitOf,
    findProfile: (id) => profiles.find((each) => each.id === id),
    now: new Date(Date.now() + 1000),
  })
  return record.verdict
}

/** Refused, with this reason, before the deadline of the test. */
export async function refuses(act: () => unknown, why: RegExp | string): Promise<void> {
  await expect((async () => act())()).rejects.toThrow(why)
  figures.refused += 1
}

export type Loose = Record<string, unknown>

export function edit(file: string, change: (text: string) => string): void {
  const before = readFileSync(file, 'utf8')
  const after = change(before)
  expect(after, `the attack changes ${file}`).not.toBe(before)
  writeFileSync(file, after)
}

/** Edits the run record, which then names the transcripts as they are. */
export function editRecord(bundle: string, change: (record: RunRecord) => RunRecord): void {
  const file = join(bundle, 'results.json')
  const edited = change(readResults(file))
  const named = <T extends { readonly file: string }>(stored: T): T => ({
    ...stored,
    digest: sha256(readFileSync(join(bundle, stored.file))),
  })
  const scenarios = edited.scenarios.map((row) =>
    row.transcript ? { ...row, transcript: named(row.transcript) } : row,
  )
  const log = edited.log ? { log: named(edited.log) } : {}
  writeFileSync(file, resultsJson(parseRunRecord({ ...edited, scenarios, ...log })))
}

export const row =
  (change: (row: RunRecord['scenarios'][number]) => RunRecord['scenarios'][number]) =>
  (record: RunRecord): RunRecord => ({
    ...record,
    scenarios: record.scenarios.map((each) => (each.id === 'denied-consent' ? change(each) : each)),
  })
