/** `aoc verify`: whether a certification bundle proves what it says. */

import type { KeyObject } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { printable } from '../../harness/engine/index.ts'
import {
  artifactsOf,
  BundleError,
  certificationType,
  readPublicKeys,
  verifyBundle,
  type Agreement,
  type Verified,
} from '../../reports/index.ts'
import { profiles } from '../../suites/registry.ts'
import { exitOf } from '../outcome/decide-exit.ts'
import { exitCodes } from '../outcome/exit-codes.ts'
import { fetchText } from '../input/fetch-text.ts'
import { readKeyFile, usingKey } from '../input/key-file.ts'
import { headlineStyles } from '../print/marks.ts'
import { packageInfo } from '../package-info.ts'
import { countText } from '../print/progress.ts'
import { writeJson } from '../print/json.ts'
import { terminalOf, type Terminal } from '../print/terminal.ts'
import { hearWitnesses, type Witnesses, type WitnessOptions } from './witnesses.ts'
import { requireInstance, rerun, type RerunOptions } from './rerun.ts'
import { UsageError } from '../input/usage-error.ts'

export interface VerifyOptions extends RerunOptions, WitnessOptions {
  readonly key?: string
  readonly jwks?: string
  readonly nonce?: string
  readonly json?: boolean
  readonly rerun?: boolean
}

/** Verifies a bundle and returns the exit code. @throws {@link UsageError} */
export async function verify(bundle: string, options: VerifyOptions): Promise<number> {
  if (!existsSync(bundle) || !statSync(bundle).isDirectory()) {
    throw new UsageError(`${bundle}: there is no such folder`)
  }
  if (options.rerun) requireInstance(options)
  const keys = await publicKeys(options)
  try {
    const verified = await verifyBundle(bundle, {
      keys,
      suite: packageInfo,
      decideExit: exitOf,
      findProfile: (id) => profiles.find((profile) => profile.id === id),
      now: new Date(),
      nonce: options.nonce,
    })
    const witnesses = await hearWitnesses(bundle, verified, keys, options)
    if (options.json) writeJson(`${JSON.stringify(verified.statement, undefined, 2)}\n`)
    else print(terminalOf(process.stdout), verified, witnesses)
    if (options.rerun && !(await confirmed(verified, options))) return exitCodes.notVerified
    const conformant = verified.record.verdict === 'conformant'
    return conformant ? exitCodes.conformant : exitCodes.nonConformant
  } catch (error) {
    if (!(error instanceof BundleError)) throw error
    const terminal = terminalOf(process.stderr)
    terminal.line(`${terminal.style(['bold', 'red'], 'NOT VERIFIED')}  ${bundle}`)
    terminal.line(printable(error.message, 1000))
    return exitCodes.notVerified
  }
}

/** Whether an instance of the relying party's choice gives the verdicts that were certified. */
async function confirmed({ record }: Verified, options: VerifyOptions): Promise<boolean> {
  const terminal = terminalOf(process.stderr)
  terminal.line()
  terminal.line('running it again')
  const agreement = await rerun(record, options, terminal)
  printAgreement(terminal, agreement)
  return agreement.confirmed
}

function printAgreement(terminal: Terminal, agreement: Agreement): void {
  const { same, confirmed, differing, notRepeated } = agreement
  const [style, word] = confirmed
    ? (['green', 'CONFIRMED'] as const)
    : (['red', 'NOT CONFIRMED'] as const)
  terminal.line()
  terminal.line(
    `${terminal.style(['bold', style], word)}  ${same} checks gave the same verdict, ${differing.length} another, ${notRepeated} could not be repeated this way`,
  )
  for (const each of differing) terminal.line(`  ${each}`)
}

async function publicKeys({ key, jwks }: VerifyOptions): Promise<KeyObject[]> {
  if ((key === undefined) === (jwks === undefined)) {
    throw new UsageError("give the signer's public key by either --key FILE or --jwks FILE|URL")
  }
  if (key !== undefined) return usingKey(`--key ${key}`, () => readPublicKeys(readKeyFile(key)))
  const from = jwks ?? ''
  const text = /^https?:/i.test(from) ? await fetchText(from) : readKeyFile(from)
  return usingKey(`--jwks ${from}`, () => readPublicKeys(text))
}

function print(
  terminal: Terminal,
  { record, statement, keyId }: Verified,
  { compared, stamp, register }: Witnesses,
): void {
  const { name, version } = record.implementation
  const { suite, specification, settings, issued, expires } = statement.predicate[certificationType]
  const shown = printable([name, version].filter(Boolean).join(' '), 120)
  terminal.line(`${terminal.style(['bold', 'green'], 'VERIFIED')}  ${shown} as ${record.profile}`)
  const verdict = record.verdict.toUpperCase()
  terminal.line(`verdict  ${terminal.style(headlineStyles[record.verdict], verdict)}`)
  terminal.line(`         ${countText(record.findings)}${record.strict ? ', strict' : ''}`)
  terminal.line(`suite    ${suite.name} ${suite.version}, judged again with the same findings`)
  const { title, revision } = specification
  terminal.line(`document ${printable(title, 120)}, ${printable(revision, 200)}`)
  terminal.line(`signed   by ${keyId}, at ${issued}, until ${expires}`)
  if (stamp !== undefined) terminal.line(`stamped  ${stamp}`)
  if (register !== undefined) terminal.line(`register ${register}`)
  for (const [name, digest] of artifactsOf(statement)) {
    const said = compared.has(digest) ? 'is the file given here' : 'not checked: give --artifact'
    terminal.line(`artifact ${printable(name, 120)} ${digest} (${said})`)
  }
  if (record.nonce !== undefined) terminal.line(`nonce    ${record.nonce}`)
  const declared = Object.entries(record.declared)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join(', ')
  terminal.line(`declared ${printable(declared, 1000)}`)
  for (const [name, value] of Object.entries(settings)) {
    terminal.line(`setting  ${printable(`${name}: ${JSON.stringify(value)}`, 300)}`)
  }
  terminal.line('not proved: that the named implementation and artefacts are what ran')
}
