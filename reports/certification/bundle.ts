/** The files of a certification bundle: listed, digested, and refused where they could lead elsewhere. */

import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { largestFile, readRegularBytes } from '../../harness/engine/index.ts'
import { sha256 } from '../record/catalogue.ts'

/** Where the signed attestation stands in a bundle. */
export const attestationFile = 'attestation.json'
/** Where the time stamp over it stands, as its authority sent it: a DER TimeStampResp (RFC 3161). */
export const timeStampFile = 'attestation.tsr'
/** The files that no digest covers. */
const uncovered: readonly string[] = [attestationFile, timeStampFile]

/** All files together are smaller. */
const largestBundle = 2 * largestFile
/** So many files are more than any run leaves. */
const mostFiles = 5000

/** A bundle that cannot be what was certified. */
export class BundleError extends Error {
  readonly code = 'invalid_bundle'
  constructor(message: string) {
    super(message)
    this.name = 'BundleError'
  }
}

/**
 * Every file of a bundle but its attestation, by its path with slashes, with the digest of its content; not its time stamp either.
 * @throws {@link BundleError} for links and anything else that is no plain file or folder
 */
export function digestBundle(folder: string): Map<string, string> {
  const names = listFiles(folder).filter((name) => !uncovered.includes(name))
  return new Map(names.map((name) => [name, sha256(readRegularBytes(join(folder, name)))] as const))
}

/** The paths of all files below a folder, sorted. @throws {@link BundleError} */
function listFiles(folder: string): string[] {
  const files: string[] = []
  let bytes = 0
  const visit = (prefix: string): void => {
    for (const name of readdirSync(join(folder, prefix)).sort()) {
      const path = prefix === '' ? name : `${prefix}/${name}`
      const found = lstatSync(join(folder, path))
      if (found.isDirectory()) visit(path)
      else if (!found.isFile()) throw new BundleError(`${path} is a link or no plain file`)
      else if (found.size > largestFile) throw new BundleError(`${path} is too large`)
      else files.push(path)
      bytes += found.isFile() ? found.size : 0
      if (bytes > largestBundle) throw new BundleError('its files are too large')
      if (files.length > mostFiles) throw new BundleError(`there are more than ${mostFiles} files`)
    }
  }
  visit('')
  return files
}
