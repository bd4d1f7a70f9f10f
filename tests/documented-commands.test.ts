/**
 * Every command of README and docs/ is typed as it stands there, in an empty project. What takes long is typed by
 * documented-commands.self.test.ts; what cannot be typed here stands in a list, with the reason.
 */

import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveMockProvider } from '../mock-provider/provider/serve.ts'
import {
  documentedBlocks,
  pagesOf,
  projectWithPackage,
  statementsOf,
} from './documented-commands.ts'
import { isExcused, isLong } from './documented-commands-elsewhere.ts'
import { shell } from './pipelines/runners.ts'
import { runCli } from './run-cli.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const all = documentedBlocks()
const here = all.filter(({ name, script }) => !isExcused(name) && !isLong(name, script))
const configured = here.filter(({ script }) => /aoc run --config \S+\n/.test(script))
const ofProvider = here.filter(({ name }) => name.startsWith('docs/mock-provider.md'))
const others: Readonly<Record<string, (folder: string) => void>> = {
  'docs/adapters.md 1': (folder) => {
    const adapter = 'suites/rap-oauth/runtime/reference-adapter-python/adapter.py'
    cpSync(join(root, adapter), join(folder, 'adapter.py'))
  },
  'docs/reports.md 1': (folder) =>
    cpSync(recorded, join(folder, 'aoc-results/RUN'), { recursive: true }),
}

let recorded: string
beforeAll(async () => {
  const { folder } = projectWithPackage()
  await runCli(['run', '--filter', 'authorize-and-complete', '--output', 'out', '--quiet'], folder)
  recorded = join(folder, 'out')
}, 60_000)

test('every block is typed somewhere, or excused', () => {
  const typed = [...configured, ...ofProvider].map(({ name }) => name)
  expect(here.map(({ name }) => name).filter((name) => !typed.includes(name))).toEqual(
    Object.keys(others),
  )
})

describe('the configuration of a page is one, and is run', () => {
  test.concurrent.each(configured)('$name', async ({ script, configuration }) => {
    // What installs is not run here: nobody's machine is changed by a test.
    const { folder, env } = projectWithPackage(['apt-get'])
    const [, file = ''] = /--config (\S+)/.exec(script) ?? []
    writeFileSync(join(folder, file), configuration ?? '')
    const { code, output } = await shell(['bash', '-e', '-c', script], folder, env)
    // The program that the page calls the reader's is not here; a port that only root may take may not be had.
    const expected = output.includes('port 443') ? 2 : 3
    expect(code, output).toBe(expected)
  })
})

test.each(Object.entries(others))('%s', async (name, prepare) => {
  const { folder, env } = projectWithPackage()
  prepare(folder)
  const { script = '' } = here.find((each) => each.name === name) ?? {}
  const { code, output } = await shell(['bash', '-e', '-c', script], folder, env)
  expect(code, output).toBe(0)
})

describe('the provider', () => {
  let provider: Awaited<ReturnType<typeof serveMockProvider>>
  beforeAll(async () => {
    const tv = {
      clientId: 'tv',
      grantTypes: ['urn:ietf:params:oauth:grant-type:device_code'] as const,
    }
    const web = { clientId: 'web', redirectUris: ['http://localhost:3000/callback'] }
    provider = await serveMockProvider({ control: true, clients: [tv, web] })
  })
  afterAll(() => provider.close())

  test.each(ofProvider)('$name', async (block) => {
    const { folder, env } = projectWithPackage()
    let userCode = ''
    for (const statement of statementsOf(block)) {
      if (/^aoc provider(?! token)/.test(statement)) {
        const ready = await startedBy(`${statement} --port 0`, folder, env)
        expect(ready).toMatch(/ready: http/)
        continue
      }
      // The port may be somebody's, and the code on the page is an example.
      const typed = statement
        .replaceAll('http://127.0.0.1:9400', provider.issuer)
        .replace(/(user_code=)\S+/, `$1${userCode}`)
        .replace(/^aoc provider token/, `$& --url ${provider.issuer}`)
      const { code, output } = await shell(['bash', '-e', '-c', typed], folder, env)
      expect(code, output).toBe(0)
      expect(output).not.toContain('"error"')
      userCode = /"user_code": ?"([^"]+)"/.exec(output)?.[1] ?? userCode
    }
  })
})

/** What a server says until it is ready; it is ended then. */
async function startedBy(statement: string, folder: string, env: Readonly<Record<string, string>>) {
  const script = `: > out; ${statement} > out 2>&1 & p=$!; tail --pid=$p -f out | grep -m1 ready: ; kill $p`
  const { output } = await shell(['bash', '-c', script], folder, env)
  return output + readFileSync(join(folder, 'out'), 'utf8')
}

test.each(pagesOf())(
  '%s: every script and every program of ours that it names is there',
  (page) => {
    const text = readFileSync(join(root, page), 'utf8')
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>
    }
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
    const programs = [...text.matchAll(/npx jiti ([\w/.-]+\.ts)/g)].map(([, file = '']) => file)
    expect(programs.filter((file) => !existsSync(join(root, file)))).toEqual([])
  },
)

test('every program that a script of package.json starts is there', () => {
  const text = readFileSync(join(root, 'package.json'), 'utf8')
  const programs = [
    ...text.matchAll(/(?:jiti(?:\/register)?|-p|--config) ([\w/.-]+\.(?:ts|json))/g),
  ]
  expect(programs.length).toBeGreaterThan(8)
  expect(
    programs.map(([, file = '']) => file).filter((file) => !existsSync(join(root, file))),
  ).toEqual([])
})
