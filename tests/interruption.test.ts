/** A run that is interrupted half-way accuses nobody, through the built command line. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseRunRecord } from '../reports/index.ts'
import { runCli, scratch } from './run-cli.ts'

test('half-way through its run the reference tool fails nothing', async () => {
  const folder = scratch()
  let interrupted = false
  const { code } = await runCli(['run', '--output', 'out'], folder, {
    // Some scenarios have been judged by then, and the others stand anywhere in their drive.
    onOutput(text, child) {
      if (interrupted || text.split('scenarios judged').length <= 2) return
      interrupted = true
      child.kill('SIGINT')
    },
  })
  expect(code).toBe(130)
  const results = readFileSync(join(folder, 'out', 'results.json'), 'utf8')
  const { findings } = parseRunRecord(JSON.parse(results))
  expect(findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')).toEqual([])
  expect(findings.filter(({ verdict }) => verdict === 'pass')).not.toEqual([])
  expect(findings.filter(({ message }) => message === 'the run was interrupted')).not.toEqual([])
})
