/** Commands of the documentation that drive whole runs, typed as they stand there. */

import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { documentedBlocks, projectWithPackage, statementsOf } from './documented-commands.ts'
import { isExcused, isLong } from './documented-commands-elsewhere.ts'
import { shell, type Ended } from './pipelines/runners.ts'
import { recordedRun } from './recorded-runs.ts'
import { implementation } from './run-cli.ts'
import { expressStyle, plainNode } from './third-party.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const long = documentedBlocks().filter(
  ({ name, script }) => !isExcused(name) && isLong(name, script),
)
const references = long.filter(({ script }) =>
  /^aoc run --profile \S+( --dialect \S+)?$/m.test(script),
)
const blockOf = (name: string) => {
  const block = long.find((each) => each.name === name)
  if (block === undefined) throw new Error(`there is no ${name}`)
  return block
}
const typed = (text: string, folder: string, env: Readonly<Record<string, string>>) =>
  shell(['bash', '-e', '-c', text], folder, env)

test('every long block is typed below', () => {
  expect(long.filter((each) => !references.includes(each)).map(({ name }) => name)).toEqual([
    'docs/certify-your-tool.md 2',
    'docs/ci.md 1',
    'docs/self-certification.md 1',
    'docs/self-certification.md 2',
    'docs/self-certification.md 4',
  ])
})

// Other tests look at these runs, too: they are typed once, with a longer observation and a folder of its own.
test.each(references)('$name', async (block) => {
  for (const statement of statementsOf(block)) {
    const [, profile = '', more = ''] = /^aoc run --profile (\S+)(.*)$/.exec(statement) ?? []
    if (more === '') expect((await recordedRun(profile)).stdout).toMatch(/^CONFORMANT/m)
    else {
      const { folder, env } = projectWithPackage()
      const { code, output } = await typed(statement, folder, env)
      expect(code, output).toBe(0)
      expect(output).toMatch(/^CONFORMANT/m)
    }
  }
})

test('README.md 1, as far as it does not install', async () => {
  const { code, output } = await typed('npm run certify', root, { NO_COLOR: '1' })
  expect(code, output).toBe(0)
  expect(output).toMatch(/^CONFORMANT/m)
})

test('docs/certify-your-tool.md 2, with nothing that runs already', async () => {
  const { folder, env } = projectWithPackage()
  // The ports may be somebody's.
  const script = blockOf('docs/certify-your-tool.md 2')
    .script.replace('--provider-port 9443', '--provider-port 0')
    .replace('127.0.0.1:8080', '127.0.0.1:9')
  const { code, output } = await typed(script, folder, {
    ...env,
    CLIENT_SECRET: 'fake-secret-of-a-client',
  })
  expect(code, output).toBe(3)
})

test('docs/ci.md 1: what is new needs a reason', async () => {
  const { folder, env } = projectWithPackage()
  writeFileSync(
    join(folder, 'conformance.config.ts'),
    `export default ${JSON.stringify(expressStyle)}`,
  )
  const { code, output } = await typed(blockOf('docs/ci.md 1').script, folder, env)
  expect(code, output).toBe(4)
  expect(readFileSync(join(folder, 'conformance-baseline.json'), 'utf8')).toContain('"entries"')
})

test('docs/self-certification.md: keys, a certificate, and who looks at it', async () => {
  const { folder, env } = projectWithPackage()
  const expectDone = ({ code, output }: Ended) => expect(code, output).toBe(0)
  for (const name of ['server.mjs', 'toolset.mjs']) {
    cpSync(implementation(`plain-node/${name}`), join(folder, name))
  }
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'dist/acme-tool-1.4.0.tgz'), 'an artefact')
  for (const statement of statementsOf(blockOf('docs/self-certification.md 1'))) {
    expectDone(await typed(statement, folder, env))
    // The reader fills in the file that `aoc init` wrote.
    if (statement === 'aoc init') {
      writeFileSync(
        join(folder, 'conformance.config.ts'),
        `export default ${JSON.stringify(plainNode)}`,
      )
    }
  }
  const [withKey = '', ...others] = statementsOf(blockOf('docs/self-certification.md 2'))
  expectDone(await typed(withKey, folder, env))
  // The address is an example: the file that would be there is served by nobody.
  expect(others).toEqual([
    'aoc verify certification --jwks https://acme.example/certification.jwks.json',
  ])

  cpSync(join(folder, 'acme.pub.pem'), join(folder, 'certification/acme.pub.pem'))
  const openssl = statementsOf(blockOf('docs/self-certification.md 4'))
  // The last one is for keys of another kind than `aoc keys generate` makes.
  const { code, output } = await typed(
    openssl.slice(0, -1).join('\n'),
    join(folder, 'certification'),
    env,
  )
  expect(output).toContain('Signature Verified Successfully')
  expect(code).toBe(0)
})
