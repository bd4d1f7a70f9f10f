import { expect, test } from 'vitest'
import { headersOfArguments, parameterHeadersOf } from './parameter-headers.ts'

const schema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    query: { type: 'string' },
    options: { properties: { limit: { type: 'integer', 'x-mcp-header': 'Limit' } } },
    list: { items: { type: 'string', 'x-mcp-header': 'Each' } },
    odd: { type: 'string', 'x-mcp-header': 'no token' },
  },
}

test('what is marked is found, also inside of objects', () => {
  expect(parameterHeadersOf(schema)).toEqual([
    { header: 'Region', path: ['region'] },
    { header: 'Limit', path: ['options', 'limit'] },
  ])
  expect(parameterHeadersOf(undefined)).toEqual([])
})

test.each([
  ['as it is', { region: 'us west' }, { 'mcp-param-region': 'us west' }],
  ['a number', { options: { limit: 5 } }, { 'mcp-param-limit': '5' }],
  ['nothing', { region: null, query: 'x' }, {}],
  ['other letters', { region: 'ä' }, { 'mcp-param-region': '=?base64?w6Q=?=' }],
  ['blanks around', { region: ' a' }, { 'mcp-param-region': '=?base64?IGE=?=' }],
  [
    'what looks encoded',
    { region: '=?base64?w6Q=?=' },
    { 'mcp-param-region': '=?base64?PT9iYXNlNjQ/dzZRPT89?=' },
  ],
])('%s', (_, given, headers) => {
  expect(headersOfArguments(parameterHeadersOf(schema), given)).toEqual(headers)
})
