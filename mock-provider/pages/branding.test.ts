import { expect, test } from 'vitest'
import { begin, decideJson, locationOf, testProvider } from '../testing.ts'
import type { Branding, Login } from './branding.ts'

const logo = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'

async function loginPage(branding: Branding) {
  const provider = testProvider({ branding })
  const response = await provider.app.request(`/authorize/${await begin(provider)}`)
  return { response, text: await response.text() }
}

test('name, colours and logo are on the login page, and the policy lets them through', async () => {
  const { response, text } = await loginPage({
    name: 'Acme & <Sons>',
    accentColor: '#ffeb3b',
    backgroundColor: '#123',
    logo,
  })
  expect(text).toContain('Acme &amp; &lt;Sons&gt;')
  expect(text).toContain('body { background: #123 }')
  // dark text on a bright button
  expect(text).toContain('background: #ffeb3b; color: #000')
  expect(response.headers.get('content-security-policy')).toContain('img-src data:;')
})

test.each<[string, Branding]>([
  ['/device', { name: 'Acme' }],
  ['/end_session', { name: 'Acme' }],
])('%s has them, too', async (path, branding) => {
  const response = await testProvider({ branding }).app.request(path)
  expect(await response.text()).toContain('<p class="brand">Acme</p>')
})

test('without branding nothing is loaded', async () => {
  const response = await testProvider().app.request('/device')
  expect(response.headers.get('content-security-policy')).toContain("img-src 'none'")
  expect(await response.text()).not.toContain('class="brand"')
})

test.each<Branding>([
  { accentColor: 'red; } body { display: none' },
  { backgroundColor: 'url(https://elsewhere.example)' },
  { logo: "https://acme.example'; script-src *" },
  { logo: 'javascript:alert(1)' },
  { logo: 'data:text/html,x' },
  { logo: 'http://elsewhere.example/logo.png' },
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as JavaScript might
  { colour: '#fff' } as Branding,
])('%j is an error', (branding) => {
  expect(() => testProvider({ branding })).toThrow(TypeError)
})

test('a page of its own gets everything that it has to show, and its form decides', async () => {
  const seen: Login[] = []
  const provider = testProvider({
    branding: {
      loginPage(login) {
        seen.push(login)
        return `<!doctype html><title>Mine</title><form method="post" action="${login.action}">`
      },
    },
  })
  const id = await begin(provider)
  const response = await provider.app.request(`/authorize/${id}`)
  expect(await response.text()).toContain('<title>Mine</title>')
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('x-frame-options')).toBe('DENY')
  expect(seen).toMatchObject([
    {
      clientId: 'app',
      scopes: ['items:read', 'items:write'],
      users: [{ subject: 'alice' }, { subject: 'bob' }],
      action: `${id}/decision`,
    },
  ])
  const decided = await provider.app.request(`/authorize/${id}/decision`, {
    method: 'POST',
    body: new URLSearchParams({ action: 'approve', subject: 'bob' }),
  })
  expect(locationOf(decided).searchParams.get('code')).toMatch(/^ac_/)
  expect(provider.authorization(id)?.subject).toBe('bob')
  expect((await decideJson(provider, id)).status).toBe(409)
})
