/** The key of the stored tokens: handed in, or made once and kept beside them for its owner only. */

import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const tokenKeyBytes = 32

/**
 * Reads the key of `dataDir`, making it first when there is none. A key that lies beside what it
 * protects helps against a leaked file, not against a leaked directory: set TOKEN_KEY in production.
 */
export function loadTokenKey(dataDir: string): Uint8Array {
  const file = join(dataDir, 'token-key')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    const made = randomBytes(tokenKeyBytes).toString('base64url')
    // wx: of two processes that start at once, one makes the key and both read it.
    writeFileSync(file, made, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64url')
  if (key.length !== tokenKeyBytes) throw new Error(`${file} holds no ${tokenKeyBytes}-byte key`)
  return new Uint8Array(key)
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
