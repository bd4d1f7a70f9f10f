/** Durable records, each in a file of its own, encrypted for their name alone (RFC 6819 §5.1.4.1.3). */

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Cipher {
  readonly seal: (name: string, text: string) => string
  /** Throws when the key, the name or the content is not what was sealed. */
  readonly open: (name: string, sealed: string) => string
}

/** AES-256-GCM with the name as additional data: one record copied over another yields nothing. */
export function createCipher(key: Uint8Array): Cipher {
  return {
    seal(name, text) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(name))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    open(name, sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
      decipher.setAAD(Buffer.from(name)).setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    },
  }
}

/** The key of `dataDir`, made at first. Beside what it protects it helps against a leaked file alone. */
export function loadKey(dataDir: string): Uint8Array {
  const file = join(dataDir, 'key')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return new Uint8Array(Buffer.from(readFileSync(file, 'utf8'), 'base64url'))
}

export interface Records {
  /** Undefined when there is none, or none that this key can open. */
  readonly load: (name: string) => unknown
  readonly save: (name: string, value: unknown) => void
  readonly remove: (name: string) => void
}

export function sealedFiles(dataDir: string, cipher: Cipher): Records {
  const fileOf = (name: string): string =>
    join(dataDir, `${createHash('sha256').update(name).digest('hex')}.sealed`)
  return {
    load(name) {
      try {
        return JSON.parse(cipher.open(name, readFileSync(fileOf(name), 'utf8')))
      } catch {
        return undefined
      }
    },
    save(name, value) {
      const file = fileOf(name)
      writeFileSync(`${file}.new`, cipher.seal(name, JSON.stringify(value)), { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
    remove: (name) => rmSync(fileOf(name), { force: true }),
  }
}
