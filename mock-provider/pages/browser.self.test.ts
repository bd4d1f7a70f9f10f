/** The pages in a real browser. Opt in: `AOC_BROWSER=1`, or the path of a Chromium. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveMockProvider, type RunningProvider } from '../provider/serve.ts'
import { encode, authorizationParameters } from '../testing.ts'

const wanted = process.env['AOC_BROWSER']
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = wanted === '1' ? places.find(existsSync) : wanted
const usable = executablePath !== undefined && existsSync(executablePath)
const why = wanted ? 'no Chromium was found' : 'AOC_BROWSER is not set'

if (!usable) test(`skipped: ${why}`, (context) => context.skip(why))

describe.skipIf(!usable)('in Chromium', () => {
  let provider: RunningProvider
  let browser: Browser
  const redirectUri = 'http://127.0.0.1:1/callback'
  const pixel = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'

  beforeAll(async () => {
    provider = await serveMockProvider({
      control: true,
      tenants: true,
      clients: [{ clientId: 'app', name: 'Notes & <b>Tasks</b>', redirectUris: [redirectUri] }],
      users: [{ subject: 'alice', name: 'Alice Example' }, { subject: 'bob' }],
    })
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser.close()
    await provider.close()
  })

  /** Opens a page whose console and network have to stay clean. */
  async function open(url: string, colorScheme: 'light' | 'dark' = 'light') {
    const context = await browser.newContext({ colorScheme })
    const page = await context.newPage()
    const problems: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('request', (request) => {
      const { origin } = new URL(request.url())
      if (origin !== provider.issuer && origin !== new URL(redirectUri).origin) {
        problems.push(`foreign request: ${request.url()}`)
      }
    })
    await page.goto(url)
    return { page, problems }
  }

  const authorizeUrl = (tenant = '') => {
    const parameters = { ...authorizationParameters, redirect_uri: redirectUri }
    return `${provider.issuer}${tenant}/authorize?${encode(parameters)}`
  }

  /** The client has no server: where the browser was sent is all there is to see. */
  async function follow(page: Page, act: () => Promise<void>): Promise<URL> {
    const sent = page.waitForRequest((request) => request.url().startsWith(redirectUri))
    await act()
    return new URL((await sent).url())
  }

  async function violations(page: Page): Promise<readonly string[]> {
    await page.evaluate(axe)
    const found = await page.evaluate(
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      () =>
        (
          globalThis as never as { axe: { run(): Promise<{ violations: { id: string }[] }> } }
        ).axe.run(),
    )
    return found.violations.map(({ id }) => id)
  }

  test.each(['light', 'dark'] as const)('the consent page is accessible, %s', async (scheme) => {
    const { page, problems } = await open(authorizeUrl(), scheme)
    expect(await page.title()).toBe('Authorize Notes & <b>Tasks</b>')
    await page.getByText('Misbehave').click()
    expect(await violations(page)).toEqual([])
    if (process.env['AOC_SCREENSHOTS']) {
      await page.screenshot({ path: `${process.env['AOC_SCREENSHOTS']}/consent-${scheme}.png` })
    }
    expect(problems).toEqual([])
  })

  test('a person approves some of the scopes as somebody else, with the keyboard', async () => {
    const { page } = await open(authorizeUrl())
    await page.getByLabel('items:write').focus()
    await page.keyboard.press('Space')
    await page.getByLabel('Signed in as').selectOption('bob')
    const approve = page.getByRole('button', { name: 'Approve' })
    await approve.focus()
    const location = await follow(page, () => page.keyboard.press('Enter'))
    expect(location.searchParams.get('code')).toMatch(/^ac_/)
    const id = provider.events.findLast(({ type }) => type === 'decision')?.authorization ?? ''
    expect(provider.authorization(id)).toMatchObject({ subject: 'bob', scopes: ['items:read'] })
  })

  test('a person denies, also by granting nothing', async () => {
    const denied = await open(authorizeUrl())
    const deny = () => denied.page.getByRole('button', { name: 'Deny' }).click()
    expect((await follow(denied.page, deny)).searchParams.get('error')).toBe('access_denied')

    const { page } = await open(authorizeUrl())
    await page.getByLabel('items:read').uncheck()
    await page.getByLabel('items:write').uncheck()
    const approve = () => page.getByRole('button', { name: 'Approve' }).click()
    expect((await follow(page, approve)).searchParams.get('error')).toBe('access_denied')
  })

  test('a person chooses a fault, at a tenant as well', async () => {
    const { page, problems } = await open(authorizeUrl('/shop'))
    await page.getByText('Misbehave').click()
    await page.getByLabel('Fault for this authorization').selectOption('authorize-state-omitted')
    const approve = () => page.getByRole('button', { name: 'Approve' }).click()
    const location = await follow(page, approve)
    expect(location.searchParams.has('state')).toBe(false)
    expect(location.searchParams.get('iss')).toBe(`${provider.issuer}/shop`)
    expect(problems.filter((problem) => !problem.includes('ERR_'))).toEqual([])
  })

  test('a response is posted to the client by itself', async () => {
    const { page, problems } = await open(`${authorizeUrl()}&response_mode=form_post`)
    const sent = page.waitForRequest((request) => request.url() === redirectUri)
    await page.getByRole('button', { name: 'Approve' }).click()
    const request = await sent
    expect(request.method()).toBe('POST')
    expect(new URLSearchParams(request.postData() ?? '').get('code')).toMatch(/^ac_/)
    expect(problems.filter((problem) => !problem.includes('ERR_'))).toEqual([])
  })

  test('the start page is accessible', async () => {
    const { page } = await open(`${provider.issuer}/`)
    expect(await violations(page)).toEqual([])
  })

  test('an error page is accessible', async () => {
    const { page } = await open(`${provider.issuer}/authorize?client_id=nobody`)
    expect(await page.getByRole('heading').textContent()).toBe('The client is unknown')
    expect(await violations(page)).toEqual([])
  })

  test('the live page shows the log as it grows', async () => {
    await fetch(`${provider.issuer}/jwks`)
    const { page, problems } = await open(`${provider.issuer}/_control/`)
    await page.getByText('connected').waitFor()
    const body = '<script>document.title = "broken"</script>'
    await fetch(`${provider.issuer}/token`, { method: 'POST', body })
    await page.getByText('POST /token').click()
    await page.getByText('broken').waitFor()
    expect(await page.title()).toBe('Log of the mock provider')
    await page.getByLabel('Show only').fill('POST /token')
    expect(await page.getByRole('listitem').filter({ visible: true }).count()).toBe(1)
    await page.getByLabel('Show only').fill('')
    expect(await violations(page)).toEqual([])
    if (process.env['AOC_SCREENSHOTS']) {
      await page.screenshot({ path: `${process.env['AOC_SCREENSHOTS']}/live.png` })
    }
    expect(problems).toEqual([])
  })

  test('the live page is usable on a telephone: newest first, detail below, standing still', async () => {
    const { page, problems } = await open(`${provider.issuer}/_control/`)
    await page.setViewportSize({ width: 390, height: 700 })
    await page.getByText('connected').waitFor()
    await fetch(`${provider.issuer}/userinfo?the-older`)
    await fetch(`${provider.issuer}/userinfo?the-newer`)
    await page.getByText('GET /userinfo?the-newer').waitFor()
    const requests = page.locator('li', { hasText: 'GET /userinfo?the-' })
    expect(await requests.first().textContent()).toContain('the-newer')
    await requests.first().locator('summary').click()
    const [row, detail] = await Promise.all(
      ['summary', 'pre'].map(async (part) => requests.first().locator(part).boundingBox()),
    )
    expect(detail!.y).toBeGreaterThanOrEqual(row!.y + row!.height)
    expect(detail!.width).toBeGreaterThan(300)
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    expect(width).toBe(390)

    await page.getByRole('button', { name: 'Pause' }).click()
    await fetch(`${provider.issuer}/userinfo?while-paused`)
    await page.getByRole('button', { name: /waiting/ }).waitFor()
    expect(await page.getByText('while-paused').count()).toBe(0)
    await page.getByRole('button', { name: /Continue/ }).click()
    await page.getByText('GET /userinfo?while-paused').waitFor()
    expect(await violations(page)).toEqual([])
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([])
  })

  test('the device page stays within its card', async () => {
    const { page } = await open(`${provider.issuer}/device`)
    await page.setViewportSize({ width: 390, height: 700 })
    const [card, field] = await Promise.all(
      ['main', 'input'].map(async (part) => page.locator(part).first().boundingBox()),
    )
    expect(field!.x).toBeGreaterThan(card!.x + 20)
    expect(field!.x + field!.width).toBeLessThan(card!.x + card!.width - 20)
  })

  test.each(['light', 'dark'] as const)(
    'a login page of its own look is accessible, %s',
    async (scheme) => {
      const acme = await serveMockProvider({
        branding: { name: 'Acme', accentColor: '#7a1fa2', backgroundColor: '#f3e5f5', logo: pixel },
        clients: [{ clientId: 'app', redirectUris: [redirectUri] }],
      })
      const context = await browser.newContext({ colorScheme: scheme })
      const page = await context.newPage()
      const problems: string[] = []
      page.on('console', (message) => problems.push(message.text()))
      const parameters = { ...authorizationParameters, redirect_uri: redirectUri }
      await page.goto(`${acme.issuer}/authorize?${encode(parameters)}`)
      expect(await page.locator('.brand').textContent()).toBe('Acme')
      expect(await page.evaluate<number>('document.images[0].naturalWidth')).toBe(8)
      expect(await violations(page)).toEqual([])
      expect(problems).toEqual([])
      await acme.close()
    },
  )

  test('the live page goes on after more than ten thousand events', async () => {
    const asked = 5_100
    const ask = () => provider.fetch(new Request(`${provider.issuer}/jwks`))
    for (let count = 0; count < asked; count += 1) await ask()
    const { page, problems } = await open(`${provider.issuer}/_control/`)
    await page.getByText('connected').waitFor()
    await fetch(`${provider.issuer}/userinfo?after-them-all`)
    await page.getByText('GET /userinfo').first().waitFor()
    expect(await page.getByRole('listitem').count()).toBeLessThan(asked)
    expect(problems).toEqual([])
  })
})

// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const axe = (createRequire(import.meta.url)('axe-core') as { source: string }).source
