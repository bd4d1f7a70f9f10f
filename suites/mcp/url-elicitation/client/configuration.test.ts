import { expect, test } from 'vitest'
import { parseConfiguration } from '../../../../harness/engine/index.ts'
import { clientConfiguration, declaredBy } from './configuration.ts'

const terminal = { prompt: 'Open?', accept: 'y', decline: 'n', cancel: 'c' }
const configured = (changes: Readonly<Record<string, unknown>> = {}) =>
  parseConfiguration(clientConfiguration, {
    profile: 'mcp-url-elicitation/client',
    target: { command: ['client', '{mcp.url}'] },
    drive: { terminal },
    ...changes,
  })

test('what is declared follows from what is configured', () => {
  expect(declaredBy(configured())).toEqual({
    revision: '2025-11-25',
    modern: false,
    opens: true,
    twoServers: false,
  })
  const both = { command: ['client', '{mcp.command}', '{mcp.command2}'], revision: '2026-07-28' }
  const declares = { opens: false }
  expect(declaredBy(configured({ target: both, declares }))).toEqual({
    revision: '2026-07-28',
    modern: true,
    opens: false,
    twoServers: true,
  })
  expect(declaredBy(configured({ drive: { adapter: true } })).twoServers).toBe(true)
})

test.each([
  ['no command', { target: { url: 'http://127.0.0.1:1' } }, 'is started by a command'],
  ['no way to act', { drive: {} }, 'drive'],
  ['no prompt', { drive: { terminal: { ...terminal, prompt: '' } } }, 'drive'],
])('%s', (_, changes, message) => {
  expect(() => configured(changes)).toThrow(message)
})
