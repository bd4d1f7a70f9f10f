/** Looks for the unique parts of authorization URLs in what a runtime stores and logs. */

import { resolve } from 'node:path'
import { SecretLedger } from '../../../harness/engine/index.ts'
import {
  filesAt,
  outputOf,
  readable,
  type DeclaredFile,
} from '../../../harness/parties/implementation/declared-files.ts'
import { withoutReleased } from '../../../harness/parties/implementation/sqlite-content.ts'
import { fill } from '../../../harness/parties/implementation/template.ts'
import type { StorageConfiguration } from './configuration.ts'

export interface Stored {
  readonly path: string
  readonly bytes: Buffer
}

export interface StoragePlace {
  readonly base: string
  readonly dataDir: string
  /** Placeholders for a command that dumps. */
  readonly values: Readonly<Record<string, string>>
}

/** A file that is being written anew is empty for a moment. */
const attempts = 5

/** Everything that is stored at the declared places. @throws Unreached when a declared command fails */
export async function readStorage(
  declared: readonly StorageConfiguration[],
  place: StoragePlace,
): Promise<Stored[]> {
  let stored: Stored[] = []
  for (let attempt = 0; attempt < attempts && stored.every(isEmpty); attempt += 1) {
    stored = await readOnce(declared, place)
  }
  return stored
}

const isEmpty = ({ bytes }: Stored): boolean => bytes.length === 0

async function readOnce(
  declared: readonly StorageConfiguration[],
  place: StoragePlace,
): Promise<Stored[]> {
  const all: DeclaredFile[] = []
  for (const each of declared) {
    if (typeof each === 'string') {
      all.push(...withoutReleased(filesAt([resolve(place.base, fill(each, place.values))]).files))
    } else if ('command' in each) {
      all.push(await outputOf(each.command, place))
    }
  }
  return all.map(({ path, content }) => ({ path, bytes: content }))
}

/** The encodings in which a token stands in the bytes: whatever the scanner for secrets finds (SECURITY.md). */
export function findToken(bytes: Buffer, token: string): string[] {
  const ledger = new SecretLedger()
  const { id } = ledger.add('url_token', token)
  return ledger
    .redact(readable(bytes))
    .hits.filter((hit) => hit.id === id)
    .map(({ encoding }) => encoding)
}
