/** Reads keys from files, and says what is wrong with one without showing it. */

import { readFileSync } from 'node:fs'
import { KeyError } from '../../reports/index.ts'
import { UsageError } from './usage-error.ts'

/** The text of a key file. @throws {@link UsageError} */
export function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file}: cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}

/** Runs what reads a key; an unusable one is the user's error. @throws {@link UsageError} */
export function usingKey<T>(where: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof KeyError) throw new UsageError(`${where}: ${error.message}`)
    throw error
  }
}
