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

export interface Register {
  readonly entries: readonly RegisterEntry[]
  /** Digest of the last line: whoever keeps it sees later whether the register was written anew. */
  readonly head: string
}

/** Appends a signed entry; makes the file where there is none. One writer at a time. @throws {@link BundleError} */
export async function appendEntry(
  file: string,
  entry: RegisterEntry,
  key: KeyObject,
  at = new Date(),
): Promise<void> {
  const lines = existsSync(file) ? linesOf(readRegularFile(file, largestRegister)) : []
  const last = lines.at(-1)
  const previous = last === undefined ? null : sha256(last)
  const payload = JSON.stringify({ version: 1, previous, at: at.toISOString(), entry })
  const envelope = await signEnvelope(payloadType, Buffer.from(payload), key)
  appendFileSync(file, `${JSON.stringify(envelope)}\n`)
}

/** Reads a register whose every line one of these keys signed. @throws {@link BundleError} */
export async function readRegister(content: string, keys: readonly KeyObject[]): Promise<Register> {
  const entries: RegisterEntry[] = []
  let previous: string | null = null
  let latest = ''
  for (const [index, line] of linesOf(content).entries()) {
    const where = `line ${index + 1} of the register`
    const read = await readLine(line, keys, where)
    if (read.previous !== previous) throw new BundleError(`${where} does not follow the one before`)
    if (read.at < latest) throw new BundleError(`${where} is earlier than the one before`)
    entries.push(read.entry)
    previous = sha256(line)
    latest = read.at
  }
  if (previous === null) throw new BundleError('the register is empty')
  return { entries, head: previous }
}

async function readLine(line: string, keys: readonly KeyObject[], where: string) {
  const envelope = envelopeSchema.safeParse(parsed(line))
  if (!envelope.success || envelope.data.payloadType !== payloadType) {
    throw new BundleError(`${where} is no entry`)
  }
  if ((await signedBy(envelope.data, keys)) === undefined) {
    throw new BundleError(`${where} is not signed with the given key`)
  }
  const payload = Buffer.from(envelope.data.payload, 'base64').toString('utf8')
  const read = lineSchema.safeParse(parsed(payload))
  if (!read.success) throw new BundleError(`${where} is no entry`)
  return read.data
}

/** What a register says about one certification. */
export interface Standing {
  /** How often this implementation, in any version, was tried as this profile. */
  readonly attempts: number
  /** How many of them ended so; `unfinished` has no end. */
  readonly ended: Readonly<Record<'conformant' | 'non-conformant' | 'inconclusive', number>>
  readonly unfinished: number
}

/** @throws {@link BundleError} where the certification is not in the register, or was withdrawn */
export function standingOf(
  { entries }: Register,
  attestation: string,
  subject: { readonly profile: string; readonly implementation: { readonly name: string } },
): Standing {
  const withdrawn = entries.find(
    (entry) => entry.type === 'withdrawn' && entry.attestation === attestation,
  )
  if (withdrawn?.type === 'withdrawn') {
    throw new BundleError(`it was withdrawn: ${withdrawn.reason}`)
  }
  const ends = entries.filter((entry) => entry.type === 'ended')
  if (!ends.some((entry) => entry.attestation === attestation)) {
    throw new BundleError('it is not in the register')
  }
  const begun = entries.flatMap((entry) =>
    entry.type === 'begun' &&
    entry.profile === subject.profile &&
    entry.implementation.name === subject.implementation.name
      ? [entry.run]
      : [],
  )
  const own = ends.filter(({ run }) => begun.includes(run))
  const count = (verdict: string): number => own.filter((each) => each.verdict === verdict).length
  return {
    attempts: begun.length,
    ended: {
      conformant: count('conformant'),
      'non-conformant': count('non-conformant'),
      inconclusive: count('inconclusive'),
    },
    unfinished: begun.length - own.length,
  }
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
