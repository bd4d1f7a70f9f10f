/** The built command line and the file that configures it: how it is begun, and what is said of a wrong one. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ownFolder, usable } from './own-folder.ts'

const { path, aoc, write } = ownFolder()

describe('init', () => {
  test('writes a configuration that run accepts, and never overwrites', async () => {
    expect((await aoc(['init'])).code).toBe(0)
    const text = readFileSync(join(path(), 'conformance.config.ts'), 'utf8')
    expect(text).toContain('export default {')
    expect(text).toContain('// How long the run watches for things that must not happen.')
    const accepted = await aoc([
      'run',
      '--config',
      'conformance.config.ts',
      '--filter',
      'no such thing',
    ])
    expect(accepted.stderr).toContain('--filter "no such thing" matches no requirement or scenario')

    const again = await aoc(['init'])
    expect(again.code).toBe(2)
    expect(again.stderr).toContain('conformance.config.ts exists already')
    expect(readFileSync(join(path(), 'conformance.config.ts'), 'utf8')).toBe(text)
  })

  test('writes JSON where the name says so', async () => {
    expect((await aoc(['init', 'aoc.json'])).code).toBe(0)
    const text = readFileSync(join(path(), 'aoc.json'), 'utf8')
    expect(JSON.parse(text)).toMatchObject({ profile: 'rap-oauth/tool' })
  })

  test('makes no folder that nobody has agreed to', async () => {
    const { code, stderr } = await aoc(['init', 'sub/aoc.json'])
    expect(code).toBe(2)
    expect(stderr).toContain('there is no folder sub')
    expect(existsSync(join(path(), 'sub'))).toBe(false)
  })

  test('refuses a name that no run could load', async () => {
    const { code, stderr } = await aoc(['init', 'config.yaml'])
    expect(code).toBe(2)
    expect(stderr).toContain('expected a name that ends in .ts')
  })
})

describe('a wrong configuration', () => {
  test.each<[string, unknown, RegExp]>([
    ['c.json', '{"profile": "rap-oauth/tool",\n  "target": }', /c\.json:2:13: not valid JSON/],
    ['c.json', '[]', /c\.json: expected an object with the configuration, found \[\]/],
    ['c.json', {}, /profile: nothing found in c\.json, expected one of: rap-oauth\/tool/],
    ['c.json', { profile: 'x' }, /profile: unknown profile "x" in c\.json, expected one of/],
    [
      'c.json',
      { ...usable, timing: { observe: 'soon' } },
      /timing\.observe: expected milliseconds or a text like "500ms".*\(found "soon"\)/,
    ],
    [
      'c.json',
      { ...usable, provider: { port: 70000 } },
      /provider\.port: .*65535.*\(found 70000\)/,
    ],
    ['c.json', { ...usable, tragte: 1 }, /tragte/],
    ['c.json', { ...usable, target: {} }, /target: .*without command or module needs a url/],
    [
      'c.json',
      { ...usable, target: { ...usable.target, ca: 'no.pem' } },
      /target\.ca: there is no such file/,
    ],
    [
      'c.json',
      {
        ...usable,
        target: { ...usable.target, headers: { authorization: 'Bearer {env.AOC_NOT_SET}' } },
      },
      /target\.headers\.authorization: the environment variable AOC_NOT_SET is not set/,
    ],
    ['c.ts', 'export default {', /c\.ts: cannot be loaded: /],
    ['c.ts', 'export const configuration = {}', /c\.ts: expected an object with the configuration/],
    ['c.js', 'throw new Error("from the file")', /c\.js: cannot be loaded: Error: from the file/],
  ])('%s with %j', async (name, content, message) => {
    const { code, stdout, stderr } = await aoc(['run', '--config', write(name, content)])
    expect(stderr).toMatch(message)
    expect(stderr).not.toContain('    at ')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  test.each([
    [['--config', 'none.json'], /cannot read the configuration none\.json: there is no such file/],
    [['--config', '.'], /cannot read the configuration \.: it is a folder/],
    [['--profile', 'rap'], /unknown profile "rap"/],
    [
      ['--profile', 'rap-oauth/tool', '--url', 'not a url', '--observe', 'soon'],
      /timing\.observe: .*from --observe/,
    ],
    [['--url', 'http://127.0.0.1:9', '--header', 'nonsense'], /Expected 'Name: value'/],
    [['--url', 'http://127.0.0.1:9', '--arguments', '{'], /Expected JSON/],
    [['--url', 'http://127.0.0.1:9', '--provider-port', 'x'], /Expected a whole number/],
    [['--client-secret-env', 'AOC_NOT_SET'], /The environment variable AOC_NOT_SET is not set/],
  ])('run %j', async (args, message) => {
    const { code, stdout, stderr } = await aoc(['run', ...args])
    expect(stderr).toMatch(message)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  test.each([
    [
      'a misspelt setting',
      { declares: { tokenstore: [] } },
      /tokenstore: .*did you mean tokenStore/,
    ],
    [
      'a redirect URI that is none, as nothing is filled in there',
      { provider: { client: { redirectUris: ['{redirect.url}'] } } },
      /provider\.client\.redirectUris.*: expected an absolute URI.* \(found "\{redirect\.url\}"\)/,
    ],
    [
      'an unknown placeholder',
      { target: { command: ['node', 'x.js'], env: { PORT: '{prot}' } } },
      /target\.env\.PORT: there is no placeholder \{prot\}\s+did you mean \{port\}/,
    ],
  ])('%s: where it stands, and what may have been meant', async (_, change, shown) => {
    const file = write('c.json', { ...usable, ...change })
    const { code, stderr } = await aoc(['run', '--config', file])
    expect(stderr).toMatch(shown)
    expect(code).toBe(2)
  })

  test('an unknown placeholder of a client, which is started only with a scenario', async () => {
    const client = {
      profile: 'mcp-url-elicitation/client',
      implementation: { name: 'a client' },
      target: { command: ['node', 'x.js'], env: { SERVER: '{mpc.url}' } },
      drive: { adapter: true },
    }
    const { code, stderr } = await aoc(['run', '--config', write('c.json', client)])
    expect(stderr).toMatch(
      /target\.env\.SERVER: there is no placeholder \{mpc\.url\}\s+did you mean \{mcp\.url\}/,
    )
    expect(code).toBe(2)
  })

  test('a file that is no configuration', async () => {
    const { code, stderr } = await aoc(['run', '--config', write('server.py', 'print(1)')])
    expect(stderr).toContain('expected a configuration')
    expect(code).toBe(2)
  })

  test('--url alone is the profile that is certified where none is named', async () => {
    const { stderr } = await aoc(['run', '--url', 'not a url'])
    expect(stderr).toMatch(
      /target\.url: expected an address such as .* \(found "not a url"\), from --url/,
    )
  })

  test('a client secret is not repeated in a message about it', async () => {
    const to = ['--profile', 'rap-oauth/tool', '--url', 'http://127.0.0.1:9']
    const args = ['run', ...to, '--client-secret-env', 'AOC_SECRET']
    const { code, stderr } = await aoc(args, { AOC_SECRET: 'hunter2' })
    expect(code).toBe(2)
    expect(stderr).toContain('provider.client.secret')
    expect(stderr).not.toContain('hunter2')
  })
})
