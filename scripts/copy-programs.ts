/** Puts the reference implementations that are not TypeScript into `dist/`, beside the profiles that start them. */

import { cpSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const programs = readdirSync(join(root, 'suites'), { recursive: true, withFileTypes: true })
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((path) => /\/reference\/[\w/]+\.py$/.test(path))
for (const path of programs) cpSync(path, join(root, 'dist', relative(root, path)))
