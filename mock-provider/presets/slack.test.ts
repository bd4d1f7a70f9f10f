import { InstallProvider, type Installation } from '@slack/oauth'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { serveMockProvider } from '../provider/serve.ts'

test("Slack's own client installs an app", async () => {
  const redirectUri = 'https://app.example/slack/oauth_redirect'
  const provider = await serveMockProvider({
    preset: 'slack',
    clients: [{ clientId: 'app', clientSecret: 'a-secret', redirectUris: [redirectUri] }],
    autoApprove: { subject: 'alice' },
  })
  const stored: Installation[] = []
  const installer = new InstallProvider({
    clientId: 'app',
    clientSecret: 'a-secret',
    stateSecret: 'a-secret-of-the-app',
    legacyStateVerification: true,
    authorizationUrl: `${provider.issuer}/oauth/v2/authorize`,
    clientOptions: { slackApiUrl: `${provider.issuer}/api/`, allowAbsoluteUrls: false },
    installationStore: {
      storeInstallation: (installation) => Promise.resolve(void stored.push(installation)),
      fetchInstallation: () => Promise.reject(new Error('not asked for')),
    },
  })
  const url = await installer.generateInstallUrl({
    scopes: ['chat:write', 'commands'],
    redirectUri,
  })
  const back = await fetch(url, { redirect: 'manual' })
  const { search } = new URL(back.headers.get('location') ?? '')

  const app = createServer((request, response) => void installer.handleCallback(request, response))
  await once(app.listen(0, '127.0.0.1'), 'listening')
  const { port } = app.address() as AddressInfo
  const page = await fetch(`http://127.0.0.1:${port}/slack/oauth_redirect${search}`)
  app.close()
  await provider.close()

  expect(page.status).toBe(200)
  expect(stored).toMatchObject([
    {
      team: { id: 'T0001' },
      user: { id: 'alice' },
      bot: { scopes: ['chat:write', 'commands'], token: expect.any(String), id: 'B0001' },
    },
  ])
})
