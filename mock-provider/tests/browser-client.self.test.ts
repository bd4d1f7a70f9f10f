/** A single-page client in a real browser, as its vendor ships it. Opt in: `AOC_BROWSER=1`, or the path of a Chromium. */
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { dirname, join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { once } from 'node:events'
import { chromium, type Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveMockProvider, type RunningProvider } from '../provider/serve.ts'

const wanted = process.env['AOC_BROWSER']
const executablePath = wanted === '1' ? '/usr/bin/chromium' : wanted
const usable = executablePath !== undefined && existsSync(executablePath)
if (!usable) test('skipped', (context) => context.skip('AOC_BROWSER is not set, or no Chromium'))

/** What a page loads by a script element; the package exports its modules only. */
const main = createRequire(import.meta.url).resolve('oidc-client-ts')
const library = join(dirname(main), '../browser/oidc-client-ts.min.js')

/** Signs in when it is loaded first, and tells in its title who came back. */
const page = (issuer: string): string => `<!doctype html><title>wait</title>
<script src="/library.js"></script><script>
const { UserManager, WebStorageStateStore } = oidc
const manager = new UserManager({
  authority: ${JSON.stringify(issuer)}, client_id: 'page', redirect_uri: location.origin + '/',
  scope: 'openid profile items:read', loadUserInfo: true,
  userStore: new WebStorageStateStore({ store: sessionStorage }),
})
const enter = async () => {
  if (!location.search) return manager.signinRedirect()
  const { profile, access_token } = await manager.signinCallback()
  const headers = { authorization: 'Bearer ' + access_token }
  const items = await fetch(${JSON.stringify(issuer)} + '/resource/items', { headers }).catch(() => undefined)
  document.title = profile.sub + ' ' + profile.name + ' ' + (items ? items.status : 'refused')
}
enter().catch((error) => { document.title = String(error) })
</script>`

describe.skipIf(!usable)('a page with oidc-client-ts', () => {
  let provider: RunningProvider
  let browser: Browser
  let site: Server
  let origin: string

  beforeAll(async () => {
    site = createServer((request, response) => {
      const [type, body] = request.url?.startsWith('/library.js')
        ? ['text/javascript', readFileSync(library)]
        : ['text/html', page(provider.issuer)]
      response.writeHead(200, { 'content-type': type }).end(body)
    })
    await once(site.listen(0, '127.0.0.1'), 'listening')
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    provider = await serveMockProvider({
      clients: [{ clientId: 'page', redirectUris: [`${origin}/`] }],
      users: [{ subject: 'alice', name: 'Alice Example' }],
      autoApprove: { subject: 'alice' },
    })
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser.close()
    await provider.close()
    site.close()
  })

  test('signs its user in, from another origin and without a secret', async () => {
    const tab = await browser.newPage()
    await tab.goto(origin)
    await tab.waitForFunction("document.title !== 'wait'")
    expect(await tab.title()).toMatch(/^alice Alice Example /)
  })
})
