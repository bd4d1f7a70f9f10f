/** How the command line is called where it was started, so that what it says can be typed. */

import { basename, relative, sep } from 'node:path'

/**
 * `aoc` where it is installed for everybody, `npx aoc` in a project that has it, `node dist/cli/main.js` in a clone.
 * @param started - the path of the program, as Node was given it
 */
export function ownName(started = process.argv[1] ?? '', folder = process.cwd()): string {
  if (started.endsWith('.js')) return `node ${relative(folder, started) || started}`
  const name = basename(started) || 'aoc'
  return started.split(sep).includes('node_modules') ? `npx ${name}` : name
}
