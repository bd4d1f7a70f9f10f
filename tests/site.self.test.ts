/** The site of the documentation: it is built without a warning, nothing in it leads nowhere, and it can be read. */

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const site = join(root, 'site/dist')

beforeAll(() => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', 'docs'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(status, `${stdout}${stderr}`).toBe(0)
}, 900_000)

test('every link and every anchor leads somewhere', () => {
  const anchors = new Map<string, ReadonlySet<string>>()
  const pages = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  )
  expect(pages.length).toBeGreaterThan(80)
  for (const page of pages) {
    const ids = [...readFileSync(join(site, page), 'utf8').matchAll(/ id="([^"]+)"/g)]
    anchors.set(page, new Set(ids.map(([, id = '']) => decoded(id))))
  }
  const broken = pages.flatMap((page) =>
    [...readFileSync(join(site, page), 'utf8').matchAll(/ (?:href|src)="([^"]*)"/g)]
      .map(([, link = '']) => link)
      .filter((link) => !leads(page, link, anchors))
      .map((link) => `${page}: ${link}`),
  )
  expect(broken).toEqual([])
})

function leads(
  page: string,
  link: string,
  anchors: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const { origin, pathname, hash } = new URL(decoded(link), `http://site/${page}`)
  if (origin !== 'http://site') return true
  const path = decodeURIComponent(pathname).slice(1)
  const file = [path, `${path}.html`, join(path, 'index.html')].find(
    (each) => extname(each) !== '' && existsSync(join(site, each)),
  )
  if (file === undefined) return false
  const known = anchors.get(file)
  return hash === '' || known === undefined || known.has(decodeURIComponent(hash.slice(1)))
}

function decoded(text: string): string {
  return text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'")
}

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const looked = ['', 'docs/ci', 'docs/faq', 'docs/configuration', 'profiles/rap-oauth-tool']
const cases = looked.flatMap((page) => [
  [page, 1280, 'light'] as const,
  [page, 390, 'dark'] as const,
])

const noBrowser = `no browser at ${executablePath}`
if (!existsSync(executablePath)) test('skipped', (context) => context.skip(noBrowser))

describe.runIf(existsSync(executablePath))('in Chromium', () => {
  let browser: Browser
  let server: Server
  let address: string
  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = join(
        site,
        decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname),
      )
      const file = [path, `${path}.html`, join(path, 'index.html')].find(
        (each) => extname(each) !== '' && existsSync(each),
      )
      if (file === undefined || relative(site, file).startsWith('..')) {
        response.writeHead(404).end()
        return
      }
      response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream')
      response.end(readFileSync(file))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  test.each(cases)('/%s at %d pixels, %s', async (path, width, colorScheme) => {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(String(error)))
    await page.goto(`${address}/${path}`, { waitUntil: 'networkidle' })
    expect(await page.locator('main h1').first().innerText()).not.toBe('')
    expect(errors).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    await page.evaluate(axe)
    const violations = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
      // What is ours: the pages. The frame around them is the generator's.
      const found = await axe.run('main', {
        runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa'] },
      })
      return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)
    })
    expect(violations).toEqual([])
    await page.close()
  })
})

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}
