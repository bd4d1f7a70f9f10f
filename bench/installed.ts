/** What a fresh installation of each provider takes, and whether what was installed answers: `npm run bench:installed`. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = new URL('../../../', import.meta.url)
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own
const { devDependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  readonly devDependencies: Readonly<Record<string, string>>
}
const peers = ['oauth2-mock-server', 'oidc-provider'].map(
  (name) => [name, `${name}@${devDependencies[name]}`] as const,
)

/** As whoever tries them does: an empty project, `npm install`, nothing for development. */
const installations = [['agent-oauth-mock-provider', packed()] as const, ...peers]
for (const [name, what] of installations) {
  const project = mkdtempSync(join(tmpdir(), 'installed-'))
  try {
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
    npm(project, 'install', '--no-audit', '--no-fund', what)
    const installed = join(project, 'node_modules')
    const megabytes = Number.parseInt(run('du', ['-sm', installed]), 10)
    const packages = npm(project, 'ls', '--all', '--parseable').trim().split('\n').length - 1
    process.stdout.write(`${name}: ${megabytes} MB, ${packages} packages\n`)
    if (name === 'agent-oauth-mock-provider') process.stdout.write(`  ${await answer(project)}\n`)
  } finally {
    rmSync(project, { recursive: true })
  }
}

/** The package that `npm run build:provider` has made, as it would be published. */
function packed(): string {
  const folder = mkdtempSync(join(tmpdir(), 'packed-'))
  process.once('exit', () => rmSync(folder, { recursive: true }))
  const made = npm(folder, 'pack', fileURLToPath(new URL('dist-provider', root)), '--silent')
  return join(folder, made.trim())
}

/** Starts `npx aoc provider` there, and asks it for its metadata. */
async function answer(project: string): Promise<string> {
  const child = spawn('npx', ['aoc', 'provider', '--port', '0', '--json'], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const [line]: unknown[] = await once(child.stdout, 'data')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the command documents
  const { issuer } = JSON.parse(String(line)) as { readonly issuer: string }
  const path = '/.well-known/openid-configuration'
  const { status } = await fetch(`${issuer}${path}`)
  process.kill(-child.pid!, 'SIGTERM')
  await once(child, 'exit')
  return `npx aoc provider: GET ${path} is answered ${status}`
}

function npm(cwd: string, ...args: readonly string[]): string {
  return run('npm', args, cwd)
}

function run(program: string, args: readonly string[], cwd?: string): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], cwd })
}
