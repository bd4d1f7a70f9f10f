/** OAuth and OpenID clients of other languages log in at the mock provider, unmodified and from their registries. */

import { execFile, spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { serveMockProvider } from '../mock-provider/index.ts'
import { scratch } from './run-cli.ts'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('oauth-clients/', import.meta.url))

type Client = (place: string, issuer: string) => Promise<{ readonly stdout: string }>

/** By the program that each needs: how it is installed and run in a copy of its folder. */
const clients: readonly (readonly [name: string, needs: string, client: Client])[] = [
  [
    'authlib',
    'python3',
    async (cwd, issuer) => {
      await run('python3', ['-m', 'venv', 'venv'], { cwd })
      const python = join(cwd, 'venv/bin/python')
      await run(python, ['-m', 'pip', 'install', '-q', '-r', 'requirements.txt'], { cwd })
      return run(python, ['login.py', issuer], { cwd })
    },
  ],
  ['go', 'go', (cwd, issuer) => run('go', ['run', '.', issuer], { cwd })],
  [
    'nimbus',
    'mvn',
    (cwd, issuer) =>
      run('mvn', ['-B', '-q', 'compile', 'exec:java', `-Dexec.args=${issuer}`], { cwd }),
  ],
]
const installable = clients.filter(([, needs]) => !spawnSync(needs, ['--version']).error)

test.each(installable)(
  '%s logs in, verifies, refreshes',
  { timeout: 300_000 },
  async (name, _, client) => {
    const provider = await serveMockProvider({
      clients: [
        { clientId: 'web', clientSecret: 's', redirectUris: ['http://localhost:3000/callback'] },
      ],
      autoApprove: { subject: 'alice' },
    })
    const place = join(scratch(), name)
    cpSync(join(folder, name), place, { recursive: true })
    const { stdout } = await client(place, provider.issuer)
    await provider.close()
    // Maven adds colour to its output even where nothing is said.
    expect(JSON.parse(/\{[^]*\}/.exec(stdout)?.[0] ?? '{}')).toEqual({
      subject: 'alice',
      items: { items: [{ id: '1', title: 'Welcome, alice' }] },
      refreshed: true,
    })
  },
)
