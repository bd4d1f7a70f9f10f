import { expect, test } from 'vitest'
import { coveredBy, isEndpoint, isSameIssuer, wellKnownUrls } from './resource.ts'

const same = (origin: string) => origin.replace('localhost', '127.0.0.1')

test.each([
  ['https://a.example/mcp', 'https://a.example/mcp', true, true],
  ['https://A.example:443/mcp', 'https://a.example/mcp', true, true],
  ['https://a.example', 'https://a.example/', true, true],
  ['https://a.example/', 'https://a.example/', true, true],
  ['http://localhost:1/mcp', 'http://127.0.0.1:1/mcp', true, true],
  ['https://a.example', 'https://a.example/mcp', true, false],
  ['https://a.example/mcp/', 'https://a.example/mcp', true, false],
  ['https://a.example/v1', 'https://a.example/v1/mcp', true, false],
  ['https://a.example/mcp?t=1', 'https://a.example/mcp?t=1', true, true],
  ['https://a.example/mcp', 'https://a.example/mcp?t=1', true, false],
  ['https://a.example/mcp?t=2', 'https://a.example/mcp?t=1', false, false],
  ['https://a.example/mc', 'https://a.example/mcp', false, false],
  ['https://a.example/mcp/x', 'https://a.example/mcp', false, false],
  ['http://a.example/mcp', 'https://a.example/mcp', false, false],
  ['https://b.example/mcp', 'https://a.example/mcp', false, false],
  ['https://a.example/mcp#x', 'https://a.example/mcp', false, false],
  ['/mcp', 'https://a.example/mcp', false, false],
])('%s for %s', (resource, endpoint, covers, is) => {
  expect(coveredBy(resource, endpoint, same)).toBe(covers)
  expect(isEndpoint(resource, endpoint, same)).toBe(is)
})

test('issuers are the same with and without the slash of no path', () => {
  expect(isSameIssuer('https://as.example', 'https://as.example/')).toBe(true)
  expect(isSameIssuer('https://as.example/a', 'https://as.example/a/')).toBe(false)
  expect(isSameIssuer('', 'https://as.example')).toBe(false)
})

test('metadata is looked for where MCP says, in its order', () => {
  expect(wellKnownUrls('https://as.example/')).toEqual([
    'https://as.example/.well-known/oauth-authorization-server',
    'https://as.example/.well-known/openid-configuration',
  ])
  expect(wellKnownUrls('https://as.example/a')).toEqual([
    'https://as.example/.well-known/oauth-authorization-server/a',
    'https://as.example/.well-known/openid-configuration/a',
    'https://as.example/a/.well-known/openid-configuration',
  ])
})
