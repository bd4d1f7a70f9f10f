/** How a Node program that comes with this package is started: as it was built, or from its source. */

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The command for `main.ts` at this place: compiled beside it, or through jiti. */
export function nodeProgram(main: URL): string[] {
  const source = fileURLToPath(main)
  const compiled = source.replace(/\.ts$/, '.js')
  if (existsSync(compiled)) return [process.execPath, compiled]
  return [process.execPath, '--import', import.meta.resolve('jiti/register'), source]
}
