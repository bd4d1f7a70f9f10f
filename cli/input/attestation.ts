/** Reads the attestation of a bundle that somebody names. */

import { join } from 'node:path'
import { readRegularBytes } from '../../harness/engine/index.ts'
import { attestationFile } from '../../reports/index.ts'
import { messageOf } from './unknown.ts'
import { UsageError } from './usage-error.ts'

/** @throws {@link UsageError} where there is none */
export function readAttestation(bundle: string): Buffer {
  const file = join(bundle, attestationFile)
  try {
    return readRegularBytes(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(code === 'ENOENT' ? `${file}: there is no such file` : messageOf(error))
  }
}
