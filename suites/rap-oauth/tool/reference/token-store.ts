/** Durable tokens, one encrypted record per user. */

import { createHash } from 'node:crypto'

import type { SealedFiles } from './sealed-files.ts'
import { tokensSchema, type Tokens } from './tokens.ts'

/** Whose record it is. A hash, because a user id may hold anything, even a path. */
export function recordName(userId: string): string {
  return createHash('sha256').update(userId).digest('hex')
}

export async function saveTokens(files: SealedFiles, key: string, tokens: Tokens): Promise<void> {
  await files.write(key, tokens)
}

export async function loadTokens(files: SealedFiles, key: string): Promise<Tokens | undefined> {
  return tokensSchema.safeParse(await files.read(key)).data
}

export async function deleteTokens(files: SealedFiles, key: string): Promise<void> {
  await files.remove(key)
}
