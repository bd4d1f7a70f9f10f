import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ConfigurationError, duration, parseConfiguration } from '../engine/configuration.ts'
import { commonSchema, type CommonConfiguration } from './configuration.ts'

const least = { profile: 'p', target: { url: 'http://127.0.0.1:8080' } }
type Changes = Record<string, unknown>

const parse = (changes: Changes = {}): CommonConfiguration =>
  parseConfiguration(commonSchema, { ...least, ...changes })
const withTarget = (target: Changes) => parse({ target: { ...least.target, ...target } })

function problemsOf(parsing: () => unknown): readonly string[] {
  try {
    parsing()
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
    throw error
  }
  throw new Error('it was accepted')
}

describe('a duration', () => {
  test.each<[unknown, number]>([
    [0, 0],
    [1500, 1500],
    ['500ms', 500],
    ['10s', 10_000],
    ['5m', 300_000],
    ['1h', 3_600_000],
    ['1.5s', 1500],
    ['0.0004s', 0],
    ['0ms', 0],
  ])('%j is %i ms', (value, milliseconds) => {
    expect(duration.parse(value)).toBe(milliseconds)
  })

  test.each([-1, 1.5, NaN, Infinity, '', '10', '10 s', '-1s', '1d', 's', '1.s', '1e3ms', '１s'])(
    '%j is none',
    (value) => {
      expect(duration.safeParse(value).success).toBe(false)
    },
  )

  test('says which forms there are', () => {
    expect(problemsOf(() => parse({ timing: { ack: 'soon' } }))).toEqual([
      'timing.ack: expected milliseconds or a text like "500ms", "10s", "5m", "1h" (found "soon")',
    ])
  })

  test('says what is wrong with a number', () => {
    const [problem] = problemsOf(() => parse({ timing: { ack: -1 } }))
    expect(problem).toMatch(/^timing\.ack: .*at least 0.* \(found -1\)$/)
  })

  test.each([true, null, 1.5])('says which forms there are where it is %j', (ack) => {
    const [problem] = problemsOf(() => parse({ timing: { ack } }))
    expect(problem).toMatch(/expected|>=|integer|int/i)
  })
})

describe('the least configuration', () => {
  test('is completed by defaults', () => {
    expect(parse()).toMatchObject({
      implementation: { name: 'unnamed implementation' },
      target: { env: {}, headers: {}, origins: {}, readyTimeout: 15_000, stopTimeout: 2_000 },
      provider: {
        port: 0,
        client: { id: 'client-1', pkce: 'optional' },
        redirectMatching: 'exact',
        tokenFormat: 'opaque',
        resources: [],
      },
      timing: { ack: 2_000, step: 5_000, observe: 1_000, maxWait: 30_000, concurrency: 8 },
      strict: false,
    })
  })

  test('is not shared between runs', () => {
    parse().target.env['LEAK'] = 'x'
    expect(parse().target.env).toEqual({})
  })
})

describe('what cannot be used', () => {
  test.each<[string, () => unknown, string[]]>([
    ['nothing', () => parseConfiguration(commonSchema, undefined), ['(the whole configuration)']],
    ['a text', () => parseConfiguration(commonSchema, 'x'), ['expected an object', '"x"']],
    [
      'no target',
      () => parse({ target: undefined }),
      ['target: ', 'expected an object', 'nothing'],
    ],
    ['a number as url', () => withTarget({ url: 8080 }), ['target.url', 'a text', '8080']],
    [
      'an empty command',
      () => withTarget({ command: [] }),
      ['target.command', 'at least 1 entry', '[]'],
    ],
    ['a command as text', () => withTarget({ command: 'npm start' }), ['target.command', 'a list']],
    ['a broken part', () => withTarget({ command: ['a', 1] }), ['target.command.1', 'a text', '1']],
    [
      'an environment of numbers',
      () => withTarget({ env: { PORT: 1 } }),
      ['target.env.PORT', 'a text', '1'],
    ],
    [
      'a command and a module',
      () => withTarget({ command: ['a'], module: 'b.ts' }),
      ['target: ', 'either command or module'],
    ],
    [
      'a port for nobody',
      () => parse({ target: {} }),
      ['target: ', 'needs a url without {port}', '{}'],
    ],
    [
      'an origin with a path',
      () => withTarget({ origins: { 'https://a.example': 'http://b.example/x' } }),
      ['target.origins', 'expected an origin', 'http://b.example/x'],
    ],
    ['a short secret', () => parse({ provider: { client: { secret: 'short' } } }), ['at least 16']],
    [
      'an unknown method',
      () => parse({ provider: { client: { auth: ['mtls'] } } }),
      ['provider.client.auth.0', 'client_secret_basic', '"mtls"'],
    ],
    [
      'private_key_jwt without keys',
      () => parse({ provider: { client: { auth: ['private_key_jwt'] } } }),
      ['provider.client.keys', 'needs the public keys'],
    ],
    [
      'a private key',
      () => parse({ provider: { client: { keys: [{ kty: 'OKP', d: 'x' }] } } }),
      ['provider.client.keys.0', 'expected a public key'],
    ],
    ['a port beyond', () => parse({ provider: { port: 70_000 } }), ['provider.port', '65535']],
    [
      'a resource without a slash',
      () => parse({ provider: { resources: [{ method: 'GET', path: 'x', scope: 's' }] } }),
      ['provider.resources.0.path', '"/"', '"x"'],
    ],
    [
      'nobody at a time',
      () => parse({ timing: { concurrency: 0 } }),
      ['timing.concurrency', 'at least 1'],
    ],
    ['a strict text', () => parse({ strict: 'yes' }), ['strict', 'true or false', '"yes"']],
    [
      'an implementation without a name',
      () => parse({ implementation: { name: '' } }),
      ['implementation.name', 'at least 1 character', '""'],
    ],
  ])('%s is told by path, what was found and what was expected', (_, parsing, parts) => {
    const problems = problemsOf(parsing)
    expect(problems).toHaveLength(1)
    for (const part of parts) expect(problems[0]).toContain(part)
    expect(problems[0]).toMatch(/^.+: .+ \(found .+\)$/)
  })

  test('a misspelt key is told by its path, each on a line', () => {
    const parsing = () =>
      parse({ tming: {}, target: { url: 'http://127.0.0.1:1', urls: 1, ca2: 1 } })
    expect([...problemsOf(parsing)].sort()).toEqual([
      'target.ca2: there is no such setting',
      'target.urls: there is no such setting',
      'tming: there is no such setting',
    ])
  })

  test('is told all at once, one line each', () => {
    const parsing = () => parse({ strict: 1, provider: { port: -1 }, timing: { step: 'x' } })
    const problems = problemsOf(parsing)
    expect(problems.map((problem) => problem.split(':')[0] ?? '').sort()).toEqual([
      'provider.port',
      'strict',
      'timing.step',
    ])
    expect(parsing).toThrow(problems.join('\n'))
    expect(parsing).toThrow(expect.objectContaining({ code: 'invalid_configuration' }))
  })

  test('is shown in part only where it is long', () => {
    const [problem] = problemsOf(() => parse({ strict: 'x'.repeat(5000) }))
    expect(problem?.length).toBeLessThan(250)
    expect(problem).toContain('…')
  })

  test.each([
    ['a function', () => undefined],
    ['a bigint', 1n],
    ['a symbol', Symbol('x')],
  ])('is told also where it is no JSON: %s', (_, value) => {
    expect(problemsOf(() => parse({ strict: value }))).toHaveLength(1)
  })

  test('is not told with its secrets', () => {
    const [problem] = problemsOf(() => parse({ provider: { client: { secret: 'hunter2hunter' } } }))
    expect(problem).not.toContain('hunter2hunter')
  })
})

test.each<Changes>([
  { target: { command: ['node', 'server.js'] } },
  { target: { module: './tool.ts' } },
  { target: { url: 'https://tool.example', origins: { 'https://a.example': 'http://b.example' } } },
  { $schema: './schema.json' },
  { provider: { client: { secret: 's'.repeat(16), auth: ['none'] } } },
])('usable: %j', (changes) => {
  expect(parse(changes)).toMatchObject({ profile: 'p' })
})

describe('a setting that has several forms', () => {
  const schema = z.strictObject({
    consent: z.union([
      z.strictObject({ begin: z.string().min(1), complete: z.string().min(1) }),
      z.strictObject({ adapter: z.literal(true) }),
      z.string(),
    ]),
  })
  const problems = (consent: unknown) =>
    problemsOf(() => parseConfiguration(schema, { consent })).join('\n')

  test.each([
    ['a part is missing', { complete: '/b' }, /^consent\.begin: .* \(found nothing\)$/],
    ['a part is no such thing', { begin: 1, complete: '/b' }, /^consent\.begin: .*a text/],
    ['a part is misspelt', { adaptr: true }, /^consent\.adaptr: there is no such setting$/m],
    ['nothing is said', {}, /^consent\.begin: .*\nconsent\.complete: /],
    ['it is of another kind', 5, /^consent: .* \(found 5\)$/],
  ])('names the form that is meant where %s', (_, consent, expected) => {
    expect(problems(consent)).toMatch(expected)
  })
})
