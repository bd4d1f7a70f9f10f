/** Folders at paths that a user gave. */

import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf } from '../input/unknown.ts'

/**
 * Makes the folder and those above it, and returns the first that was made, as `mkdirSync` with `recursive` does. That
 * one never returns where a file system refuses folders by ENOENT, as `/proc` does (Node 20 to 24).
 */
export function makeFolder(path: string): string | undefined {
  try {
    mkdirSync(path)
    return path
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && statSync(path).isDirectory()) return undefined
    if (codeOf(error) !== 'ENOENT' || existsSync(dirname(path))) throw error
  }
  const made = makeFolder(dirname(path))
  mkdirSync(path)
  return made
}
