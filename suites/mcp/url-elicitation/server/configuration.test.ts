import { describe, expect, test } from 'vitest'
import { parseConfiguration } from '../../../../harness/engine/index.ts'
import { declaredBy, serverConfiguration } from './configuration.ts'

const profile = 'mcp-url-elicitation/server'
const parse = (target: object, more: object = {}) =>
  parseConfiguration(serverConfiguration, { profile, target, ...more })
const command = ['node', 'server.js']

describe('the configuration', () => {
  test('has defaults for everything but how the server is reached', () => {
    const configuration = parse({ command })
    expect(configuration.target).toMatchObject({
      transport: 'http',
      endpoint: '/mcp',
      revision: '2025-11-25',
      authorization: false,
      scopes: [],
    })
    expect(declaredBy(configuration)).toMatchObject({
      driven: 'command',
      login: false,
      modern: false,
      refreshTokens: true,
    })
  })

  test.each([
    ['a module', { module: './x.js' }],
    ['stdio without a command', { url: 'http://127.0.0.1:1', transport: 'stdio' }],
    ['authorization over stdio', { command, transport: 'stdio', authorization: true }],
    ['scopes of a token that is not demanded', { command, scopes: ['mcp'] }],
    ['a revision that there is not', { command, revision: '2024-11-05' }],
  ])('refuses %s', (_, target) => {
    expect(() => parse(target)).toThrow()
  })

  test('a server that is offered 2026-07-28 is declared to speak it', () => {
    expect(declaredBy(parse({ command, revision: '2026-07-28' })).modern).toBe(true)
    expect(declaredBy(parse({ command }, { declares: { modern: true } })).modern).toBe(true)
  })

  test('over stdio no browser can log in', () => {
    const login = { declares: { login: '/login' } }
    expect(declaredBy(parse({ command }, login)).login).toBe(true)
    expect(declaredBy(parse({ command, transport: 'stdio' }, login)).login).toBe(false)
  })

  test('a server that runs already is reached by its URL', () => {
    expect(declaredBy(parse({ url: 'https://tool.example' })).driven).toBe('url')
  })
})
