/** `aoc certify`: a whole run with the settings of a certification, signed. */

import type { KeyObject } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { newRunId } from '../../harness/engine/index.ts'
import {
  attestationFile,
  certificationObserveMs,
  digestBundle,
  keyId,
  makeStatement,
  notCertifiable,
  payloadType,
  readPrivateKey,
  sha256,
  signEnvelope,
  validDays,
  writeAtomically,
  type RunRecord,
} from '../../reports/index.ts'
import { configure, type ConfigureOptions, type Subject } from '../configuration/configure.ts'
import { readKeyFile, usingKey } from '../input/key-file.ts'
import { runOnce } from '../running/run-once.ts'
import { select } from '../running/selection.ts'
import { terminalOf } from '../print/terminal.ts'
import { UsageError } from '../input/usage-error.ts'

export interface CertifyOptions extends ConfigureOptions {
  readonly key?: string
  readonly keyEnv?: string
  readonly artifact?: readonly string[]
  readonly output?: string
  readonly quiet?: boolean
}

/** Certifies, signs the bundle and returns the exit code of the run. @throws {@link UsageError} */
export async function certify(options: CertifyOptions): Promise<number> {
  const key = privateKey(options)
  const artifacts = digestArtifacts(options.artifact ?? [])
  const subject = withCertificationSettings(await configure(options))
  const id = newRunId()
  const output = options.output ?? join('aoc-certifications', id)
  if (existsSync(output) && readdirSync(output).length > 0) {
    throw new UsageError(`${output} is not empty: everything in a bundle is signed`)
  }
  const terminal = terminalOf(process.stdout)
  const record = await runOnce({
    id,
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
  const reasons = notCertifiable(record)
  if (reasons.length > 0) {
    terminal.line(`not signed: ${reasons.join('; ')}`)
    return record.exit.code
  }
  const envelope = await attest(output, record, key, artifacts)
  writeAtomically(join(output, attestationFile), `${JSON.stringify(envelope, undefined, 2)}\n`)
  terminal.line()
  terminal.line(`signed   ${join(output, attestationFile)}, with the key ${await keyId(key)}`)
  terminal.line(`         aoc verify ${output} --key PUBLIC-KEY`)
  return record.exit.code
}

function privateKey({ key, keyEnv }: CertifyOptions): KeyObject {
  if ((key === undefined) === (keyEnv === undefined)) {
    throw new UsageError('give the private key by either --key FILE or --key-env NAME', [
      'aoc keys generate makes one',
    ])
  }
  if (key !== undefined) return usingKey(`--key ${key}`, () => readPrivateKey(readKeyFile(key)))
  const text = process.env[keyEnv ?? '']
  if (!text) throw new UsageError(`--key-env ${keyEnv}: the environment variable is not set`)
  return usingKey(`--key-env ${keyEnv}`, () => readPrivateKey(text))
}

function digestArtifacts(files: readonly string[]): Map<string, string> {
  return new Map(
    files.map((file) => {
      try {
        return [basename(file), sha256(readFileSync(file))] as const
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        throw new UsageError(`--artifact ${file}: cannot be read: ${code}`)
      }
    }),
  )
}

function withCertificationSettings(subject: Subject): Subject {
  const { configuration } = subject
  const observe = Math.max(configuration.timing.observe, certificationObserveMs)
  return {
    ...subject,
    configuration: { ...configuration, timing: { ...configuration.timing, observe } },
  }
}

async function attest(
  folder: string,
  record: RunRecord,
  key: KeyObject,
  artifacts: ReadonlyMap<string, string>,
) {
  const issued = new Date()
  const expires = new Date(issued.getTime() + validDays * 24 * 3600 * 1000)
  const files = digestBundle(folder)
  const statement = makeStatement({ record, files, artifacts, issued, expires })
  return signEnvelope(payloadType, Buffer.from(JSON.stringify(statement)), key)
}
