/**
 * A register of certifications: every attempt, how it ended, and what was withdrawn. JSON Lines, each a DSSE envelope that
 * names the digest of the line before it, so that nothing can be taken out of the middle.
 */

import { appendFileSync, existsSync } from 'node:fs'
import type { KeyObject } from 'node:crypto'
import { z } from 'zod'
import { readRegularFile } from '../../harness/engine/index.ts'
import { sha256 } from '../record/catalogue.ts'
import { BundleError } from './bundle.ts'
import { duplicateKey } from './duplicate-keys.ts'
import { envelopeSchema, signedBy, signEnvelope } from './dsse.ts'

const payloadType = 'application/vnd.agent-oauth-conformance.register+json'
/** Bytes of a register with some ten thousand entries. */
export const largestRegister = 16 * 1024 * 1024

const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/)
const text = z.string().max(1000)

const entrySchema = z.discriminatedUnion('type', [
  /** Before anything was driven: an attempt that is thrown away shows. */
  z.strictObject({
    type: z.literal('begun'),
    run: text,
    profile: text,
    implementation: z.strictObject({ name: text, version: text.exactOptional() }),
  }),
  /** The digest is that of `attestation.json`; absent where nothing was signed. */
  z.strictObject({
    type: z.literal('ended'),
    run: text,
    verdict: z.enum(['conformant', 'non-conformant', 'inconclusive']),
    attestation: digest.exactOptional(),
  }),
  z.strictObject({ type: z.literal('withdrawn'), attestation: digest, reason: text }),
])
/** What happened to a certification. */
export type RegisterEntry = z.infer<typeof entrySchema>

const lineSchema = z.strictObject({
  version: z.literal(1),
  /** Digest of the line before this one; `null` in the first. */
  previous: digest.nullable(),
  at: z.iso.datetime(),
  entry: entrySchema,
})

/** A line that was read. */
interface RegisterLine {
  readonly at: string
  /** Of its bytes; what the line after it names. */
  readonly digest: string
  readonly entry: RegisterEntry
}

export interface Register {
  readonly lines: readonly RegisterLine[]
  /** Digest of the last line: whoever keeps it sees later whether the register was written anew. */
  readonly head: string
}

/**
 * Appends a signed entry; makes the file where there is none. One writer at a time.
 * @throws {@link BundleError} where the register could not be read afterwards
 */
export async function appendEntry(
  file: string,
  entry: RegisterEntry,
  key: KeyObject,
  now = new Date(),
): Promise<void> {
  const content = existsSync(file) ? readRegularFile(file, largestRegister) : ''
  if (content !== '' && !content.endsWith('\n')) throw new BundleError('its last line is cut off')
  const lines = linesOf(content).map(readLine)
  const last = lines.at(-1)
  const at = now.toISOString()
  const line = { version: 1, previous: last?.digest ?? null, at, entry } as const
  if (!lineSchema.safeParse(line).success)
    throw new BundleError('an entry holds at most 1000 characters')
  requireOrder([...lines, { ...line, digest: '' }])
  const envelope = await signEnvelope(payloadType, Buffer.from(JSON.stringify(line)), key)
  appendFileSync(file, `${JSON.stringify(envelope)}\n`)
}

/** Reads a register whose every line one of these keys signed. @throws {@link BundleError} */
export async function readRegister(content: string, keys: readonly KeyObject[]): Promise<Register> {
  const lines = linesOf(content).map(readLine)
  const last = lines.at(-1)
  if (last === undefined) throw new BundleError('the register is empty')
  for (const [index, { envelope }] of lines.entries()) {
    if ((await signedBy(envelope, keys)) !== undefined) continue
    throw new BundleError(`${placeOf(index)} is not signed with the given key`)
  }
  requireOrder(lines)
  return { lines, head: last.digest }
}

function readLine(line: string, index: number) {
  const envelope = envelopeSchema.safeParse(parsed(line))
  if (!envelope.success || envelope.data.payloadType !== payloadType) {
    throw new BundleError(`${placeOf(index)} is not an entry`)
  }
  const payload = Buffer.from(envelope.data.payload, 'base64').toString('utf8')
  const read = lineSchema.safeParse(parsed(payload))
  if (!read.success) throw new BundleError(`${placeOf(index)} is not an entry`)
  // Another reader could take the other one.
  if (duplicateKey(line) !== undefined || duplicateKey(payload) !== undefined) {
    throw new BundleError(`${placeOf(index)} has a key twice`)
  }
  return { ...read.data, envelope: envelope.data, digest: sha256(line) }
}

type Ordered = RegisterLine & { readonly previous: string | null }

/** Each line follows the one before, and says something that can follow what the lines before it say. */
function requireOrder(lines: readonly Ordered[]): void {
  const [begun, open, attested] = [new Set<string>(), new Set<string>(), new Set<string>()]
  let before: Ordered | undefined
  for (const [index, line] of lines.entries()) {
    const refuse = (why: string): never => {
      throw new BundleError(`${placeOf(index)} ${why}`)
    }
    const { entry } = line
    if (line.previous !== (before?.digest ?? null)) refuse('does not follow the one before')
    if (before !== undefined && Date.parse(line.at) < Date.parse(before.at)) {
      refuse(`is earlier than the one before, which is of ${before.at}`)
    }
    if (entry.type === 'begun') {
      if (begun.has(entry.run)) refuse('begins a run a second time')
      begun.add(entry.run)
      open.add(entry.run)
    } else if (entry.type === 'ended') {
      if (!open.delete(entry.run)) refuse('ends a run that is not open')
      if (entry.attestation !== undefined) attested.add(entry.attestation)
    } else if (!attested.has(entry.attestation)) refuse('withdraws what is not in the register')
    before = line
  }
}

function placeOf(index: number): string {
  return `line ${index + 1} of the register`
}

function linesOf(content: string): string[] {
  return content.split('\n').filter(Boolean)
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    return undefined
  }
}
