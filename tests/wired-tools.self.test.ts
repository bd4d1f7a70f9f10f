/** Tools that know one real provider and nothing else, certified as they are. */

import { expect, test } from 'vitest'
import { certify, requirementsWith } from './run-cli.ts'
import {
  canBeReal,
  configurationOf,
  goOauth2,
  googleJava,
  googlePython,
  octokit,
  type Built,
} from './wired-tools.ts'

test.skipIf(!canBeReal).for<[string, string, () => Built]>([
  ["GitHub's own library for JavaScript", 'github.com', () => ({ configuration: octokit })],
  ['x/oauth2, in Go', 'github.com', () => goOauth2()],
  // It does not ask libc, but goes by HTTPS_PROXY.
  ['x/oauth2, in a static program', 'github.com', () => goOauth2('0')],
  ["Google's library for Python", 'accounts.google.com', () => googlePython()],
  ["Google's library for Java", 'accounts.google.com', () => googleJava()],
])('with %s, which knows %s alone', async ([, host, build], { skip }) => {
  const { code, record } = await certify(configurationOf(build(), skip))
  const { failures, facts } = record
  expect({ code, failures, fails: requirementsWith(record, 'fail') }).toEqual({
    code: 0,
    failures: [],
    fails: [],
  })
  expect(facts['provider']).toBe(`https://${host}`)
})

const away = { LD_PRELOAD: '', NODE_OPTIONS: '', NSS_WRAPPER_HOSTS: '/dev/null' }

test.skipIf(!canBeReal).for<[string, () => Built, object]>([
  ['is led away', () => ({ configuration: octokit }), away],
  ['is static, and has no proxy', () => goOauth2('0'), { HTTPS_PROXY: '', https_proxy: '' }],
])('a tool that %s is not judged', async ([, build, env], { skip }) => {
  const tool = configurationOf(build(), skip)
  const { target } = tool as { target: { env: object } }
  const elsewhere = { ...tool, target: { ...target, env: { ...target.env, ...env } } }
  const { code, record } = await certify(elsewhere, {
    args: ['--filter', 'authorize-and-complete'],
  })
  expect(code).toBe(3)
  expect([...new Set(record.findings.map(({ verdict }) => verdict))]).toEqual(['inconclusive'])
  expect(record.findings[0]?.message).toContain('may have called the real provider')
})
