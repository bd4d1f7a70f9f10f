/** `aoc withdraw`: says in a register that a certification no longer stands. */

import { existsSync } from 'node:fs'
import { appendEntry, sha256 } from '../../reports/index.ts'
import { readAttestation } from '../input/attestation.ts'
import { signingKey, type SigningOptions } from '../input/key-file.ts'
import { messageOf } from '../input/unknown.ts'
import { UsageError } from '../input/usage-error.ts'
import { terminalOf } from '../print/terminal.ts'

export interface WithdrawOptions extends SigningOptions {
  readonly register: string
  readonly reason: string
}

/** Appends the withdrawal to the register. @throws {@link UsageError} */
export async function withdraw(bundle: string, options: WithdrawOptions): Promise<number> {
  const { register, reason } = options
  const key = signingKey(options)
  if (!existsSync(register)) throw new UsageError(`--register ${register}: there is no such file`)
  const attestation = sha256(readAttestation(bundle))
  try {
    await appendEntry(register, { type: 'withdrawn', attestation, reason }, key)
  } catch (error) {
    throw new UsageError(`--register ${register}: cannot be written: ${messageOf(error)}`)
  }
  terminalOf(process.stdout).line(`withdrawn  ${attestation}, in ${register}`)
  return 0
}
