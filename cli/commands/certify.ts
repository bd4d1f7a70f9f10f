/** `aoc certify`: a whole run with the settings of a certification, signed. */

import type { KeyObject } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { newRunId } from '../../harness/engine/index.ts'
import {
  appendEntry,
  attestationFile,
  contradictions,
  readStoredRun,
  certifiedSettings,
  digestBundle,
  keyId,
  makeStatement,
  notCertifiable,
  payloadType,
  sha256,
  signEnvelope,
  validDays,
  writeAtomically,
  type RegisterEntry,
  type RunRecord,
} from '../../reports/index.ts'
import { certificationSubject } from '../configuration/certification-subject.ts'
import { configure, type ConfigureOptions, type Subject } from '../configuration/configure.ts'
import { digestArtifacts } from '../input/artifacts.ts'
import { signingKey } from '../input/key-file.ts'
import { exitOf } from '../outcome/decide-exit.ts'
import { packageInfo } from '../package-info.ts'
import { runOnce } from '../running/run-once.ts'
import { select } from '../running/selection.ts'
import { terminalOf } from '../print/terminal.ts'
import { messageOf } from '../input/unknown.ts'
import { UsageError } from '../input/usage-error.ts'

export interface CertifyOptions extends ConfigureOptions {
  readonly key?: string
  readonly keyEnv?: string
  readonly artifact?: readonly string[]
  readonly nonce?: string
  readonly register?: string
  readonly output?: string
  readonly quiet?: boolean
}

/** Certifies, signs the bundle and returns the exit code of the run. @throws {@link UsageError} */
export async function certify(options: CertifyOptions): Promise<number> {
  const key = signingKey(options)
  const artifacts = digestArtifacts(options.artifact ?? [])
  const configured = await configure(options)
  const { subject, overruled } = certificationSubject(configured)
  const id = newRunId()
  const output = options.output ?? join('aoc-certifications', id)
  if (existsSync(output) && readdirSync(output).length > 0) {
    throw new UsageError(
      `${output} is not empty, but everything in a bundle is signed: give an empty folder`,
    )
  }
  const terminal = terminalOf(process.stdout)
  for (const each of overruled) terminal.line(each)
  const register = registerWriter(options.register, key)
  const { name, version } = subject.configuration.implementation
  const implementation = version === undefined ? { name } : { name, version }
  // Before anything is driven: an attempt that is thrown away shows.
  await register({ type: 'begun', run: id, profile: subject.profile.id, implementation })
  const record = await runOnce({
    id,
    nonce: options.nonce,
    subject,
    selection: select(subject.profile, []),
    partial: false,
    // A certification accepts no known findings.
    gate: (record) => record,
    repetition: false,
    output,
    terminal,
    quiet: options.quiet ?? false,
  })
  const reasons = [
    ...notCertifiable(record),
    ...contradictions(readStoredRun(output), subject.profile, {
      suite: packageInfo,
      decideExit: exitOf,
    }),
  ]
  const ended = { type: 'ended', run: id, verdict: record.verdict } as const
  if (reasons.length > 0) {
    await register(ended)
    terminal.line(`not signed: ${reasons.join('; ')}`)
    return record.exit.code
  }
  const envelope = await attest(output, record, subject.profile, key, artifacts)
  const attestation = `${JSON.stringify(envelope, undefined, 2)}\n`
  writeAtomically(join(output, attestationFile), attestation)
  await register({ ...ended, attestation: sha256(attestation) })
  terminal.line()
  terminal.line(`signed   ${join(output, attestationFile)}, with the key ${await keyId(key)}`)
  terminal.line(`         aoc verify ${output} --key PUBLIC-KEY`)
  return record.exit.code
}

/** Appends to the register, where there is one. */
function registerWriter(file: string | undefined, key: KeyObject) {
  return async (entry: RegisterEntry): Promise<void> => {
    if (file === undefined) return
    try {
      await appendEntry(file, entry, key)
    } catch (error) {
      throw new UsageError(`--register ${file}: cannot be written: ${messageOf(error)}`)
    }
  }
}

async function attest(
  folder: string,
  record: RunRecord,
  profile: Subject['profile'],
  key: KeyObject,
  artifacts: ReadonlyMap<string, string>,
) {
  const issued = new Date()
  const expires = new Date(issued.getTime() + validDays * 24 * 3600 * 1000)
  const files = digestBundle(folder)
  const settings = certifiedSettings(record, profile)
  const statement = makeStatement({ record, files, artifacts, settings, issued, expires })
  return signEnvelope(payloadType, Buffer.from(JSON.stringify(statement)), key)
}
