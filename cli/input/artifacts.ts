/** Digests of what is certified, where its vendor can name it by files. */

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { sha256 } from '../../reports/index.ts'
import { UsageError } from './usage-error.ts'

/** Name of each file → its digest. @throws {@link UsageError} */
export function digestArtifacts(files: readonly string[]): Map<string, string> {
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
