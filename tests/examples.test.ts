/** The examples of the documentation, run as a reader runs them. */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { serveMockProvider } from '../mock-provider/provider/serve.ts'

const folder = new URL('../docs/examples/provider/', import.meta.url)

const run = async (name: string) =>
  promisify(execFile)(process.execPath, [fileURLToPath(new URL(name, folder))])

const expected: Readonly<Record<string, string>> = {
  'server.mjs': "{ items: [ { id: '1', title: 'Welcome, alice' } ] }",
  'in-process.mjs': "'token 503'",
  'msw.mjs': "'request', 'response'",
}

test.each(Object.entries(expected))('%s', async (name, output) => {
  const { stdout, stderr } = await run(name)
  expect(stdout).toContain(output)
  expect(stderr).toBe('')
})

test('curl.sh', async () => {
  const provider = await serveMockProvider({
    clients: [
      { clientId: 'web', clientSecret: 's', redirectUris: ['http://localhost:3000/callback'] },
    ],
  })
  const script = fileURLToPath(new URL('curl.sh', folder))
  const { stdout } = await promisify(execFile)('sh', [script, provider.issuer])
  await provider.close()
  expect(JSON.parse(stdout)).toEqual({ items: [{ id: '1', title: 'Welcome, alice' }] })
})

test('no example is left out', () => {
  expect(readdirSync(folder).toSorted()).toEqual([...Object.keys(expected), 'curl.sh'].toSorted())
})
