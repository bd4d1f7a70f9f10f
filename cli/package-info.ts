/** Where this package is and which version it has, from sources and from `dist` alike. */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { recordOf } from './input/unknown.ts'

export interface PackageInfo {
  readonly name: string
  readonly version: string
  /** Folder of its `package.json`. */
  readonly root: string
}

export const packageInfo: PackageInfo = find(dirname(fileURLToPath(import.meta.url)))

function find(folder: string): PackageInfo {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return find(dirname(folder))
  const { name, version } = recordOf(JSON.parse(readFileSync(file, 'utf8')))
  return { name: String(name), version: String(version), root: folder }
}
