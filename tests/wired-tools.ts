/**
 * Tools that are wired to one real provider by its client library, in several languages: nothing of where it is can be
 * configured. What they need of registries is fetched once, and kept beside the packages of this project.
 */

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { facilities, findLibrary } from '../harness/parties/facilities.ts'
import { implementation } from './run-cli.ts'

type Settings = Readonly<Record<string, unknown>>

/** Where real names can be served here, and resolved by programs that are started. */
export const canBeReal =
  findLibrary('libnss-wrapper') !== undefined &&
  (await facilities.find(({ name }) => name === 'port 443')?.find()) !== undefined

/** A tool, or why it cannot be built here. */
export type Built = { readonly configuration: Settings } | { readonly missing: string }

/** How it is certified; the test is skipped where it cannot be built. */
export function configurationOf(built: Built, skip: (reason: string) => never): Settings {
  return 'missing' in built ? skip(built.missing) : built.configuration
}

interface Wired {
  readonly name: string
  readonly command: readonly string[]
  /** The path where it takes invocations, where its manifest names another address. */
  readonly endpoint?: string
  readonly env?: Readonly<Record<string, string>>
  readonly provider: Settings
  readonly scopes: readonly string[]
  readonly declares?: Settings
}

const own = { PORT: '{port}', PUBLIC_URL: '{tool.url}', DATA_DIR: '{data.dir}' }
const client = (name: string) => ({
  [`${name}_CLIENT_ID`]: '{provider.clientId}',
  [`${name}_CLIENT_SECRET`]: '{provider.clientSecret}',
})

function configured({ name, command, endpoint, env, provider, scopes, declares }: Wired): Settings {
  return {
    profile: 'rap-oauth/tool',
    implementation: { name },
    target: { command, env: { ...own, ...env }, ...(endpoint === undefined ? {} : { endpoint }) },
    provider: { ...provider, scopes },
    operation: { name: 'who_am_i', scopes },
    timing: { concurrency: 4 },
    declares: { pendingTimeout: '10s', tokenStore: ['{data.dir}/store'], ...declares },
  }
}

const github = { hostnames: ['github.com', 'api.github.com'], preset: 'github' }
const google = {
  hostnames: ['accounts.google.com', 'oauth2.googleapis.com', 'openidconnect.googleapis.com'],
  preset: 'google',
}
const googleScopes = ['openid', 'https://www.googleapis.com/auth/userinfo.email']

/** GitHub's own libraries for JavaScript. */
export const octokit = configured({
  name: 'github-tool',
  command: [process.execPath, implementation('github-tool/server.mjs')],
  endpoint: '/rap',
  env: { ...client('GITHUB'), PENDING_TIMEOUT_MS: '{pendingTimeoutMs}' },
  provider: github,
  scopes: ['read:user'],
})

/** The Go project's x/oauth2, which knows GitHub's endpoints; linked with libc, or not. */
export function goOauth2(cgo: '0' | '1' = '1'): Built {
  return built('go-github', ['go-tool'], (folder) => {
    const program = join(folder, `tool-${cgo}`)
    const sources = implementation('go-tool')
    run('go', ['build', '-tags', 'github', '-o', program, '.'], { cwd: sources, CGO_ENABLED: cgo })
    const back = ['even', 'odd'].map((way) => `http://127.0.0.1:1/back/${way}`)
    return configured({
      name: 'go-github-tool',
      command: [program],
      env: {
        ...client('GITHUB'),
        STORE_KEY: 'a-passphrase-for-the-test-run-only',
        PENDING_MS: '{pendingTimeoutMs}',
      },
      provider: { ...github, client: { redirectUris: back } },
      scopes: ['read:user'],
      declares: { tokenStore: ['{data.dir}'] },
    })
  })
}

/** google-auth and google-auth-oauthlib, on asyncio. */
export function googlePython(pendingSeconds = 10): Built {
  return built('google-python', ['google-python-tool/requirements.txt'], (folder) => {
    const packages = kept(folder, (target) => {
      const requirements = implementation('google-python-tool/requirements.txt')
      run('python3', ['-m', 'pip', 'install', '-q', '--target', target, '-r', requirements])
    })
    return configured({
      name: 'google-python-tool',
      command: ['python3', implementation('google-python-tool/tool.py')],
      env: {
        ...client('GOOGLE'),
        PYTHONPATH: packages,
        PENDING_SECONDS: String(pendingSeconds),
      },
      provider: google,
      scopes: googleScopes,
      // google-auth refreshes 3:45 minutes early (REFRESH_THRESHOLD).
      declares: { refreshLeeway: '225s' },
    })
  })
}

/** google-api-client for Java. */
export function googleJava(pendingSeconds = 10): Built {
  const sources = ['google-java-tool/Tool.java', 'java-tool/Json.java', 'java-tool/Net.java']
  const pom = 'google-java-tool/pom.xml'
  return built('google-java', [pom, ...sources], (folder) => {
    const classes = kept(folder, (target) => {
      const copy = ['dependency:copy-dependencies', `-DoutputDirectory=${target}`]
      run('mvn', ['-q', '-B', '-f', implementation(pom), ...copy])
      run('javac', ['-cp', join(target, '*'), '-d', target, ...sources.map(implementation)])
    })
    const path = `${classes}:${join(classes, '*')}`
    return configured({
      name: 'google-java-tool',
      command: ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', path, 'Tool'],
      env: { ...client('GOOGLE'), PENDING_SECONDS: String(pendingSeconds) },
      provider: google,
      scopes: googleScopes,
      declares: { refreshLeeway: '60s' },
    })
  })
}

const cache = fileURLToPath(new URL('../node_modules/.cache/wired-tools/', import.meta.url))

/** Below a folder that is another one when any of these files is. */
function built(name: string, files: readonly string[], build: (folder: string) => Settings): Built {
  const texts = files.map((file) =>
    /\.\w+$/.test(file) ? readFileSync(implementation(file), 'utf8') : '',
  )
  const version = createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 12)
  const folder = join(cache, `${name}-${version}`)
  mkdirSync(folder, { recursive: true })
  try {
    return { configuration: build(folder) }
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    return { missing: `${name}: ${why}` }
  }
}

/** What was made there before, or is made now: whole, also where two do it at the same time. */
function kept(folder: string, make: (target: string) => void): string {
  const made = join(folder, 'made')
  if (existsSync(made)) return made
  const target = mkdtempSync(join(folder, 'new-'))
  try {
    make(target)
    renameSync(target, made)
  } catch (error) {
    rmSync(target, { recursive: true, force: true })
    if (!existsSync(made)) throw error
  }
  return made
}

/** @throws when the program is not there, or fails */
function run(
  program: string,
  args: readonly string[],
  { cwd, ...env }: { readonly cwd?: string; readonly CGO_ENABLED?: string } = {},
): void {
  const all = { ...process.env, ...env }
  execFileSync(program, args, { cwd, env: all, stdio: 'pipe', timeout: 120_000 })
}
