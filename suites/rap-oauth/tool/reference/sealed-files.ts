/** A folder of encrypted records, one file each, that survives crashes and restarts. */

import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { Cipher } from './cipher.ts'

export interface SealedFiles {
  readonly directory: string
  readonly write: (name: string, record: unknown) => Promise<void>
  /** Undefined when there is no such record, or none that this key can open. */
  readonly read: (name: string) => Promise<unknown>
  readonly remove: (name: string) => Promise<void>
  readonly names: () => Promise<string[]>
  /** Moves a record to another folder; of several movers at once, exactly one gets true. */
  readonly move: (name: string, to: SealedFiles) => Promise<boolean>
}

const suffix = '.jwe'

export function createSealedFiles(directory: string, cipher: Cipher): SealedFiles {
  const path = (name: string) => join(directory, `${name}${suffix}`)
  return {
    directory,
    async write(name, record) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const sealed = await cipher.seal(name, JSON.stringify(record))
      await replaceFile(path(name), sealed)
    },
    async read(name) {
      try {
        return JSON.parse(await cipher.open(name, await readFile(path(name), 'utf8')))
      } catch {
        return undefined
      }
    },
    async remove(name) {
      await rm(path(name), { force: true })
    },
    async names() {
      const files = await readdir(directory).catch(() => [])
      return files
        .filter((file) => file.endsWith(suffix))
        .map((file) => file.slice(0, -suffix.length))
    },
    async move(name, to) {
      await mkdir(to.directory, { recursive: true, mode: 0o700 })
      return rename(path(name), join(to.directory, `${name}${suffix}`)).then(
        () => true,
        () => false,
      )
    },
  }
}

/** Readers see the old content or the new, never half of it, even after a power cut. */
async function replaceFile(path: string, content: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
