/** `npm run docs:picture`: makes docs/report.png, the report of a reference tool that does not tell of a denial. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { profiles } from '../suites/registry.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'aoc-picture-'))
try {
  writeFileSync(join(folder, 'conformance.json'), JSON.stringify(brokenTool()))
  const program = join(root, 'dist/cli/main.js')
  const args = [
    'run',
    '--config',
    join(folder, 'conformance.json'),
    '--output',
    join(folder, 'out'),
  ]
  spawnSync(process.execPath, [program, ...args], { stdio: 'inherit' })
  await photograph(join(folder, 'out/report.html'), join(root, 'docs/report.png'))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function brokenTool(): object {
  const profile = profiles.find(({ id }) => id === 'rap-oauth/tool')
  const settings = profile?.reference.settings() ?? {}
  const target = settings['target'] as { readonly env: object }
  const command = ['node', join(root, 'dist/suites/rap-oauth/tool/reference/varied.js')]
  const env = { ...target.env, DEFECT: 'denial-shown-only' }
  const implementation = { name: 'example tool', version: '1.2.0' }
  return { ...settings, profile: profile?.id, implementation, target: { ...target, command, env } }
}

async function photograph(page: string, picture: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  const tab = await browser.newPage({ viewport: { width: 1100, height: 620 } })
  await tab.goto(`file://${page}`)
  await tab.screenshot({ path: picture })
  await browser.close()
}
