import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startBrowserShims, type BrowserShims } from './browser-shims.ts'

let folder: string
let shims: BrowserShims
let opened: (readonly string[])[]
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'browser-'))
  opened = []
  shims = await startBrowserShims(join(folder, 'bin'), (args) => opened.push(args))
})
afterEach(async () => {
  await shims.close()
  rmSync(folder, { recursive: true })
})

const run = (command: string, ...args: string[]) =>
  promisify(execFile)(command, args, {
    env: shims.environment({ PATH: process.env['PATH'] ?? '', DISPLAY: ':0' }),
  })

test.each(['xdg-open', 'open', 'www-browser', 'sensible-browser', 'wslview'])(
  '%s reports what it was to open',
  async (name) => {
    await run(name, '--new', 'http://127.0.0.1/a?b=%2F&c=1')
    expect(opened).toEqual([['--new', 'http://127.0.0.1/a?b=%2F&c=1']])
  },
)

test('they work below a package of modules, too', async () => {
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  await run('xdg-open', 'http://127.0.0.1/')
  expect(opened).toEqual([['http://127.0.0.1/']])
})

test('BROWSER is one of them, and there is no desktop', () => {
  const environment = shims.environment({ PATH: '/bin', DISPLAY: ':0' })
  expect(environment).toEqual({ PATH: `${folder}/bin:/bin`, BROWSER: `${folder}/bin/xdg-open` })
})

test('what others send is no opening', async () => {
  const text = readFileSync(join(folder, 'bin/open'), 'utf8')
  const port = /port: (\d+)/.exec(text)?.[1]
  await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '["x"]' })
  expect(opened).toEqual([])
})
