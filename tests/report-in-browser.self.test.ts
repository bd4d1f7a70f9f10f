/**
 * The HTML report of real runs in a real browser. Needs Chromium (`apt-get install chromium`, or CHROMIUM=path); where
 * there is none the tests are skipped and say so.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Transcript } from '../harness/engine/index.ts'
import { renderers } from '../reports/index.ts'
import { answer, failed, hostile, recordOf, request } from '../reports/testing.ts'
import { recordedLeaky, recordedRun } from './recorded-runs.ts'
import { scratch } from './run-cli.ts'

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const installed = existsSync(executablePath)
if (!installed) {
  process.stderr.write(`skipped: no browser at ${executablePath}; apt-get install chromium\n`)
}
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Report {
  readonly file: string
  readonly verdict: string
}

/** Everything that the page did which a report must not do. */
interface Watched {
  readonly page: Page
  readonly console: string[]
  readonly requests: string[]
}

const tooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'

describe.runIf(installed)('the report in Chromium', () => {
  let browser: Browser
  const reports: Record<'conformant' | 'runtime' | 'broken' | 'hostile', Report> = {
    conformant: { file: '', verdict: 'conformant' },
    runtime: { file: '', verdict: 'conformant' },
    broken: { file: '', verdict: 'non-conformant' },
    hostile: { file: '', verdict: 'non-conformant' },
  } as const
  const files = new Map<string, string>()
  const kinds = Object.keys(reports) as (keyof typeof reports)[]

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    const folder = scratch()
    const attacked = join(folder, 'hostile.html')
    writeFileSync(attacked, hostileReport())
    files.set('conformant', join((await recordedRun('rap-oauth/tool')).folder, 'report.html'))
    files.set('runtime', join((await recordedRun('rap-oauth/runtime')).folder, 'report.html'))
    files.set('broken', join((await recordedLeaky()).folder, 'report.html'))
    files.set('hostile', attacked)
  }, 180_000)
  afterAll(async () => browser?.close())

  async function open(
    kind: keyof typeof reports,
    options: { readonly width?: number; readonly colorScheme?: 'light' | 'dark' } = {},
  ): Promise<Watched> {
    const { width = 1280, colorScheme = 'light' } = options
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
    const console: string[] = []
    const requests: string[] = []
    page.on('console', (message) => console.push(message.text()))
    page.on('pageerror', (error) => console.push(String(error)))
    page.on('request', (asked) => requests.push(asked.url()))
    await page.goto(pathToFileURL(files.get(kind) ?? '').href)
    return { page, console, requests }
  }

  test.each(kinds)('%s: asks for nothing but itself, complains about nothing', async (kind) => {
    const { page, console, requests } = await open(kind)
    await unfold(page)
    expect(await page.locator('.verdict').innerText()).toBe(reports[kind].verdict.toUpperCase())
    expect(requests).toEqual([page.url()])
    expect(console).toEqual([])
    await page.close()
  })

  test('nothing can be run in it: the policy holds even against a script in the page', async () => {
    const { page, console } = await open('broken')
    await page.evaluate(`{
      const script = document.createElement('script')
      script.textContent = 'document.title = "run"'
      document.body.append(script)
    }`)
    expect(await page.title()).not.toBe('run')
    expect(console.join(' ')).toContain('Content Security Policy')
    await page.close()
  })

  test.each([
    ['conformant', 'light'],
    ['broken', 'light'],
    ['broken', 'dark'],
    ['hostile', 'dark'],
    ['runtime', 'light'],
  ] as const)('%s: WCAG 2 AA in %s, by axe-core', async (kind, colorScheme) => {
    const { page } = await open(kind, { colorScheme })
    expect(await violationsIn(page)).toEqual([])
    await page.close()
  })

  test.each([1280, 390])('diagrams are legible at %d pixels', async (width) => {
    for (const kind of ['broken', 'runtime'] as const) {
      const { page } = await open(kind, { width })
      await unfold(page, '.scenario')
      const found = await page.locator('svg.diagram').evaluateAll((all) => {
        const texts = all.flatMap((svg) => {
          const frame = svg.getBoundingClientRect()
          return [...svg.querySelectorAll('text')].map((text) => {
            const { left, right, height } = text.getBoundingClientRect()
            const outside = left < frame.left - 1 || right > frame.right + 1
            return { outside, height, text: text.textContent ?? '' }
          })
        })
        return { diagrams: all.length, texts }
      })
      expect(found.diagrams).toBeGreaterThan(40)
      const size = `getComputedStyle(document.querySelector('svg.diagram text')).fontSize`
      expect(await page.evaluate(size)).toBe('12px')
      expect(found.texts.filter(({ outside }) => outside)).toEqual([])
      expect(await page.evaluate(tooWide)).toBe(false)
      await page.close()
    }
  })

  test('everything is reached by the keyboard: links, folds, and back to where one was', async () => {
    const { page } = await open('broken')
    const reached: string[] = []
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab')
      reached.push(await page.evaluate<string>('document.activeElement.tagName.toLowerCase()'))
    }
    expect(reached.slice(0, 4)).toEqual(['a', 'a', 'a', 'a'])
    expect(reached).toContain('summary')
    const fold = page.locator('.finding summary').first()
    await fold.focus()
    await page.keyboard.press('Enter')
    expect(await fold.evaluate((each) => each.parentElement?.hasAttribute('open'))).toBe(true)
    await page.close()
  })

  test('a link to a folded message unfolds it', async () => {
    const { page } = await open('broken')
    const link = page.locator('.finding .evidence a').first()
    await link.focus()
    await page.keyboard.press('Enter')
    const target = (await link.getAttribute('href')) ?? ''
    expect(await page.locator(`[id="${target.slice(1)}"]`).isVisible()).toBe(true)
    await page.close()
  })

  test('on paper it is dark on white, and the long tables do not run off', async () => {
    const { page } = await open('broken', { colorScheme: 'dark', width: 700 })
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    const colours = `{ const { backgroundColor, color } = getComputedStyle(document.body); [backgroundColor, color] }`
    expect(await page.evaluate(colours)).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)'])
    expect(await violationsIn(page)).toEqual([])
    const pages = await page.pdf({ format: 'A4' })
    expect(pages.subarray(0, 5).toString()).toBe('%PDF-')
    expect(await page.evaluate(tooWide)).toBe(false)
    await page.close()
  })
})

/** Unfolds everything, so that what is folded is looked at too. */
async function unfold(page: Page, selector = 'details'): Promise<void> {
  await page.locator(selector).evaluateAll((all) => {
    for (const each of all) each.setAttribute('open', '')
  })
}

/** What axe-core finds against WCAG 2 AA. */
async function violationsIn(page: Page): Promise<string[]> {
  // Scenarios are all alike: the first ones, and those with a failure, are looked at, unfolded.
  await page.locator('details.scenario:nth-of-type(n+4):not([open])').evaluateAll((all) => {
    for (const each of all) each.remove()
  })
  await unfold(page, '.finding:nth-of-type(-n+3) details, .scenario:nth-of-type(-n+3)')
  await unfold(page, '.scenario:nth-of-type(2) .message:nth-of-type(-n+6)')
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
    const { violations } = await axe.run({ runOnly: { type: 'tag', values: tags } })
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)
  })
}

/** A page in which every field that an implementation controls attacks it. */
function hostileReport(): string {
  const body = { text: hostile.repeat(3000), bytes: 1 }
  const headers = { [hostile]: hostile, location: 'javascript:alert(1)' }
  const events = [
    { ...request, url: hostile, method: hostile, headers, body },
    { ...answer, headers, body },
  ]
  const record = recordOf([failed, { ...failed, verdict: 'warn' }])
  return renderers.html(record, new Map([['denied-consent', new Transcript(events)]]))
}
