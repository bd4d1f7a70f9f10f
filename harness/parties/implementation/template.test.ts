import { afterEach, describe, expect, test, vi } from 'vitest'
import { fill, TemplateError } from './template.ts'

const values = { port: '8080', 'provider.issuer': 'https://provider.test', empty: '' }

afterEach(() => vi.unstubAllEnvs())

describe('a template', () => {
  test('is filled with what its placeholders name, as often as they come', () => {
    expect(fill('http://x:{port}/{port}?i={provider.issuer}{empty}', values)).toBe(
      'http://x:8080/8080?i=https://provider.test',
    )
  })

  test('reads the environment of the harness', () => {
    vi.stubEnv('TEMPLATE_TEST_KEY', 'secret {port}')
    expect(fill('Bearer {env.TEMPLATE_TEST_KEY}', values)).toBe('Bearer secret {port}')
  })

  test('leaves everything alone that is no placeholder', () => {
    for (const text of [
      '{"a": {}}',
      '${HOME}'.replace('HOME', ''),
      '{ port }',
      '{}',
      '{1}',
      '{a b}',
    ])
      expect(fill(text, values)).toBe(text)
  })

  test('takes values literally', () => {
    expect(fill('{port}', { port: '$& $1 {other}' })).toBe('$& $1 {other}')
  })

  test.each(['{prot}', '{env.TEMPLATE_TEST_UNSET}', '{provider}', '{port.x}'])(
    'with an unknown placeholder says which are known: %s',
    (template) => {
      expect(() => fill(template, values)).toThrow(TemplateError)
      expect(() => fill(template, values)).toThrow(
        `unknown placeholder ${template}; known are {port}, {provider.issuer}, {empty}`,
      )
    },
  )

  test.each(['{constructor}', '{toString}', '{hasOwnProperty}'])(
    'knows no placeholder that every object has: %s',
    (template) => {
      expect(() => fill(template, values)).toThrow(TemplateError)
    },
  )
})
