/**
 * The page of the reference client application in Chromium, by the adapter that stands in the documentation. Opt in:
 * `AOC_BROWSER=1`, or the path of a Chromium.
 */

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { certify, requirementsWith } from './run-cli.ts'

const wanted = process.env['AOC_BROWSER']
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const CHROMIUM = wanted === '1' ? (places.find(existsSync) ?? '') : (wanted ?? '')
const path = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url))

test.skipIf(!existsSync(CHROMIUM)).each(['call', 'response'])(
  'a page is certified in Chromium, in the dialect of %ss',
  { timeout: 300_000 },
  async (dialect) => {
    const { code, record } = await certify(
      {
        profile: 'adk-credential/client',
        implementation: { name: 'page of the reference client application' },
        target: {
          command: [
            process.execPath,
            path('docs/examples/adk-page/adapter.mjs'),
            process.execPath,
            path('dist/suites/adk-credential/client/reference/main.js'),
          ],
          env: { CHROMIUM },
          readyTimeout: '60s',
          stopTimeout: '30s',
        },
        agent: { dialect },
        drive: { adapter: true, visits: true },
        timing: { concurrency: 2, step: '15s' },
      },
      { args: ['--max-wait', '30s'] },
    )
    for (const verdict of ['fail', 'warn', 'inconclusive'])
      expect(requirementsWith(record, verdict), verdict).toEqual([])
    expect(record.failures).toEqual([])
    expect(code).toBe(0)
  },
)
