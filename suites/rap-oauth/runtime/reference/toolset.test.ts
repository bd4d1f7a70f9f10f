import { expect, test } from 'vitest'

import { combineToolsets, parseToolset, type Toolset } from './toolset.ts'

const tool = { name: 'list', description: 'Lists.', inputSchema: { type: 'object' } }
const document = { name: 'items', endpoint: 'https://tool.example/invoke', tools: [tool] }

function parse(fields: object): Toolset | undefined {
  return parseToolset('https://tool.example', JSON.stringify({ ...document, ...fields }))
}

test.each([
  ['no name', { name: '' }],
  ['no endpoint', { endpoint: undefined }],
  ['an endpoint of another scheme', { endpoint: 'file:///etc/passwd' }],
  ['no tools', { tools: [] }],
  ['two tools of one name', { tools: [tool, tool] }],
  ['a name with a space', { tools: [{ ...tool, name: 'list items' }] }],
  ['a name of 129 characters', { tools: [{ ...tool, name: 'a'.repeat(129) }] }],
  ['properties that are a text', { tools: [{ ...tool, inputSchema: { properties: 'none' } }] }],
  ['one tool without a schema', { tools: [tool, { name: 'x', description: 'X.' }] }],
])('refuses a toolset with %s', (_name, fields) => {
  expect(parse(fields)).toBeUndefined()
})

test('refuses every tool with a name that another toolset has, too', () => {
  const first = parse({ displayScript: 'x', extra: 1 })
  const second = parse({ name: 'more', tools: [{ ...tool, name: 'other' }, tool] })
  if (!first || !second) throw new Error('not parsed')
  const { tools, refused } = combineToolsets([first, second])
  expect(tools.map(({ name }) => name)).toEqual(['other'])
  expect(refused).toEqual(['list'])
})

test('gives the model names that its API allows', () => {
  const names = ['plain_name-1', 'with.dot', 'with:dot', 'ü'.repeat(128)]
  const toolset = parse({ tools: names.map((name) => ({ ...tool, name })) })
  if (!toolset) throw new Error('not parsed')
  const { tools } = combineToolsets([toolset])
  expect(tools.map(({ name }) => name)).toEqual(names)
  const functionNames = tools.map(({ functionName }) => functionName)
  expect(functionNames[0]).toBe('plain_name-1')
  for (const name of functionNames) expect(name).toMatch(/^[\w-]{1,64}$/)
  expect(new Set(functionNames).size).toBe(4)
})
