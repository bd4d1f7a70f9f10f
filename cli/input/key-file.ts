/** Reads keys from files, and says what is wrong with one without showing it. */

import { readFileSync } from 'node:fs'
import type { KeyObject } from 'node:crypto'
import { KeyError, readPrivateKey } from '../../reports/index.ts'
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

export interface SigningOptions {
  readonly key?: string
  readonly keyEnv?: string
}

/** The private key that somebody signs with. @throws {@link UsageError} */
export function signingKey({ key, keyEnv }: SigningOptions): KeyObject {
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
