/** Commit subjects stay short enough to be read in one line of any tool. */

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** The last commit before the rule. */
const base = '3fde4ab4e1171c889444b01c4e7c268400af23d8'
const longest = 72
const cwd = fileURLToPath(new URL('../', import.meta.url))

function git(...args: string[]) {
  return spawnSync('git', args, { cwd, encoding: 'utf8' })
}

test(`commit subjects have at most ${longest} characters`, ({ skip }) => {
  // fails alike without git, outside of a checkout, and where the history was cut off
  const known = git('merge-base', '--is-ancestor', base, 'HEAD').status === 0
  skip(!known, `the history since ${base.slice(0, 7)} is not here`)
  const subjects = git('log', '--format=%h %s', `${base}..HEAD`).stdout.split('\n')
  const tooLong = subjects.filter((line) => line.length - line.indexOf(' ') - 1 > longest)
  expect(tooLong).toEqual([])
})
