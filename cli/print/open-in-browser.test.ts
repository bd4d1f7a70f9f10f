import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openInBrowser } from './open-in-browser.ts'

test('the browser that is chosen is given the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aoc-open-'))
  const program = join(folder, 'browser')
  writeFileSync(program, `#!/bin/sh\necho "$1" > ${folder}/opened\n`, { mode: 0o755 })
  expect(await openInBrowser('/a report.html', { BROWSER: program })).toBe(true)
  await vi.waitFor(() =>
    expect(readFileSync(join(folder, 'opened'), 'utf8')).toBe('/a report.html\n'),
  )
})

test('one that there is not is no failure', async () => {
  expect(await openInBrowser('/report.html', { BROWSER: '/no/such/browser' })).toBe(false)
})
