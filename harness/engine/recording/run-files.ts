/** Files of a run: made by nobody else, and read only where they are files. An implementation may know the folder. */

import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** Opens a new file for writing. What stands in its way, be it a link or a pipe, is removed and not followed. */
export function createExclusively(file: string): number {
  const folder = dirname(file)
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(folder)
  mkdirSync(folder, { recursive: true })
  try {
    return openSync(file, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    rmSync(file, { recursive: true, force: true })
    return openSync(file, 'wx', 0o600)
  }
}

/** Puts a file with this content in the place of another and leaves it open for more. */
export function replaceExclusively(file: string, content: string): number {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`
  const descriptor = createExclusively(temporary)
  writeFileSync(descriptor, content)
  if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory()) rmSync(file, { recursive: true })
  renameSync(temporary, file)
  return descriptor
}

/** No file of a run is larger. */
export const largestFile = 256 * 1024 * 1024

/** The content of a file that is one: no link is followed, no pipe is waited for. @throws where it is none, or too large */
export function readRegularBytes(file: string, largest = largestFile): Buffer {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  // Opening a device can already do something.
  if (!lstatSync(file).isFile()) throw new Error(`${file} is not a plain file`)
  const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const found = fstatSync(descriptor)
    if (!found.isFile()) throw new Error(`${file} is not a plain file`)
    if (found.size > largest) throw new Error(`${file} is larger than ${largest} bytes`)
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** The same, as text. */
export function readRegularFile(file: string, largest = largestFile): string {
  return readRegularBytes(file, largest).toString('utf8')
}
