/** What others say of a bundle: the artefact itself, an authority of time, a register. */

import type { KeyObject } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { printable, readRegularBytes, readRegularFile } from '../../harness/engine/index.ts'
import {
  artifactsOf,
  attestationFile,
  BundleError,
  certificationType,
  largestRegister,
  largestTimeStamp,
  readRegister as parseRegister,
  sha256,
  standingOf,
  timeStampFile,
  verifyTimeStamp,
  type Verified,
} from '../../reports/index.ts'
import { digestArtifacts } from '../input/artifacts.ts'
import { fetchText } from '../input/fetch-text.ts'
import { readKeyFile } from '../input/key-file.ts'
import { messageOf } from '../input/unknown.ts'
import { UsageError } from '../input/usage-error.ts'

export interface WitnessOptions {
  readonly artifact?: readonly string[]
  readonly timeStampAuthority?: string
  readonly register?: string
  readonly registerHead?: string
}

/** What they said; each is `undefined` where there is none. */
export interface Witnesses {
  /** Digests of the artefacts that were compared. */
  readonly compared: ReadonlySet<string>
  readonly stamp: string | undefined
  readonly register: string | undefined
}

/** @throws {@link BundleError} where one of them says otherwise */
export async function hearWitnesses(
  bundle: string,
  verified: Verified,
  keys: readonly KeyObject[],
  options: WitnessOptions,
): Promise<Witnesses> {
  return {
    stamp: await stampOf(bundle, verified, options),
    register: await standingIn(bundle, verified, keys, options),
    compared: compareArtifacts(options.artifact ?? [], verified),
  }
}

/** What the register says about it. @throws {@link BundleError} where it does not stand there, or no longer */
async function standingIn(
  bundle: string,
  { record }: Verified,
  keys: readonly KeyObject[],
  { register: from, registerHead: kept }: WitnessOptions,
): Promise<string | undefined> {
  if (from === undefined) {
    if (kept !== undefined) throw new UsageError('--register-head needs --register')
    return undefined
  }
  const content = /^https?:/i.test(from)
    ? await fetchText(from, largestRegister)
    : readRegister(from)
  const register = await parseRegister(content, keys)
  if (kept !== undefined && !register.lines.some(({ digest }) => digest === kept)) {
    throw new BundleError('the register has no line with the head that was kept: it is another one')
  }
  const attestation = sha256(readRegularBytes(join(bundle, attestationFile)))
  const { attempts, ended, unfinished, runs } = standingOf(register, attestation, record)
  const ends = Object.entries({ ...ended, unfinished }).filter(([, count]) => count > 0)
  const shown = ends.map(([verdict, count]) => `${count} ${verdict}`).join(', ')
  return `${attempts} attempts: ${shown}; ${runs} runs in all; head ${register.head}`
}

/** The reader may name a link, but nothing that is waited for, and nothing without an end. */
function readRegister(file: string): string {
  try {
    return readRegularFile(realpathSync(file), largestRegister)
  } catch (error) {
    throw new UsageError(`--register ${file}: cannot be read: ${messageOf(error)}`)
  }
}

/** Minutes by which the clocks of a signer and an authority may differ, in milliseconds. */
const clockSkew = 5 * 60_000

/** @throws {@link BundleError} where the time stamp that was asked for does not hold */
async function stampOf(
  bundle: string,
  { statement }: Verified,
  { timeStampAuthority: file }: WitnessOptions,
): Promise<string | undefined> {
  const stamped = join(bundle, timeStampFile)
  if (file === undefined) {
    return existsSync(stamped) ? 'not checked: give --time-stamp-authority' : undefined
  }
  if (!existsSync(stamped)) throw new BundleError('there is no time stamp in it')
  const attestation = readRegularBytes(join(bundle, attestationFile))
  const reply = readStamp(stamped)
  const { time, by } = await verifyTimeStamp(reply, attestation, readKeyFile(file))
  if (time.getTime() < Date.parse(statement.predicate[certificationType].issued) - clockSkew) {
    throw new BundleError(`its time stamp, ${time.toISOString()}, is older than the certification`)
  }
  return printable(`at ${time.toISOString()}, by ${by}`, 300)
}

/** @throws {@link BundleError} where it is none, or larger than any */
function readStamp(file: string): Uint8Array {
  try {
    return readRegularBytes(file, largestTimeStamp)
  } catch (error) {
    throw new BundleError(`its time stamp cannot be read: ${messageOf(error)}`)
  }
}

/** The digests of these files, each of which the statement must name. @throws {@link BundleError} */
function compareArtifacts(files: readonly string[], { statement }: Verified): ReadonlySet<string> {
  const certified = new Set(artifactsOf(statement).values())
  const digests = [...digestArtifacts(files)]
  const other = digests.find(([, digest]) => !certified.has(digest))
  if (other) throw new BundleError(`the artifact ${other[0]} is not what was certified`)
  return new Set(digests.map(([, digest]) => digest))
}
