import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { seal, TokenStore, unseal } from './token-store.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tokens-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const open = (secret: string) => new TokenStore(join(folder, 'tokens'), secret, { seal, unseal })

test('tokens are there after a restart, and stand nowhere in clear', () => {
  open('secret').set('https://a.example/mcp', { access_token: 'a-token' })
  expect(open('secret').get('https://a.example/mcp')).toEqual({ access_token: 'a-token' })
  expect(open('secret').get('https://b.example/mcp')).toBeUndefined()
  expect(readFileSync(join(folder, 'tokens'), 'utf8')).not.toContain('a-token')
})

test('with another key there are none', () => {
  open('secret').set('https://a.example/mcp', { access_token: 'a-token' })
  expect(open('another').get('https://a.example/mcp')).toBeUndefined()
})
