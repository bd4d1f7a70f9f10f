/** Keeps tokens between two starts: in a file that is of no use without the key (AES-256-GCM). */

import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import type { Tokens } from './work.ts'

/** How a text is made unreadable, and readable again. */
export interface Sealing {
  readonly seal: (text: string, secret: string) => string
  readonly unseal: (text: string, secret: string) => string
}

const algorithm = 'aes-256-gcm'
const [saltBytes, ivBytes, tagBytes] = [16, 12, 16]

export function seal(text: string, secret: string): string {
  const [salt, iv] = [randomBytes(saltBytes), randomBytes(ivBytes)]
  const cipher = createCipheriv(algorithm, scryptSync(secret, salt, 32), iv)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([salt, iv, cipher.getAuthTag(), sealed]).toString('base64')
}

/** @throws Error where it was sealed with another key, or altered */
export function unseal(text: string, secret: string): string {
  const bytes = Buffer.from(text, 'base64')
  const salt = bytes.subarray(0, saltBytes)
  const iv = bytes.subarray(saltBytes, saltBytes + ivBytes)
  const rest = bytes.subarray(saltBytes + ivBytes)
  const decipher = createDecipheriv(algorithm, scryptSync(secret, salt, 32), iv)
  decipher.setAuthTag(rest.subarray(0, tagBytes))
  return Buffer.concat([decipher.update(rest.subarray(tagBytes)), decipher.final()]).toString()
}

/** Tokens by the endpoint that they are for. */
export class TokenStore {
  readonly #file: string | undefined
  readonly #secret: string
  readonly #sealing: Sealing
  readonly #tokens: Map<string, Tokens>

  /** Without a file they are kept as long as the process runs. */
  constructor(file: string | undefined, secret: string, sealing: Sealing) {
    this.#file = file
    this.#secret = secret
    this.#sealing = sealing
    this.#tokens = new Map(this.#read())
  }

  get(endpoint: string): Tokens | undefined {
    return this.#tokens.get(endpoint)
  }

  set(endpoint: string, tokens: Tokens): void {
    this.#tokens.set(endpoint, tokens)
    if (this.#file === undefined) return
    const text = this.#sealing.seal(JSON.stringify([...this.#tokens]), this.#secret)
    writeFileSync(this.#file, text, { mode: 0o600 })
  }

  /** What cannot be read is forgotten: its user signs in again. */
  #read(): readonly (readonly [string, Tokens])[] {
    if (this.#file === undefined) return []
    try {
      const text = this.#sealing.unseal(readFileSync(this.#file, 'utf8'), this.#secret)
      return JSON.parse(text) as [string, Tokens][]
    } catch {
      return []
    }
  }
}
