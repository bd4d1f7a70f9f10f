import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { createCipher } from './cipher.ts'
import { createSealedFiles } from './sealed-files.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rap-tool-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const cipher = createCipher(new Uint8Array(32).fill(1))

test('reads back what it wrote, and nothing of it is legible', async () => {
  const files = createSealedFiles(directory, cipher)
  await files.write('a', { secret: 'legible' })
  expect(await files.read('a')).toEqual({ secret: 'legible' })
  expect(await files.names()).toEqual(['a'])
  expect(readFileSync(join(directory, 'a.jwe'), 'latin1')).not.toContain('legible')
  await files.remove('a')
  expect(await files.read('a')).toBeUndefined()
})

test('opens nothing under another name or with another key', async () => {
  const files = createSealedFiles(directory, cipher)
  await files.write('alice', 1)
  copyFileSync(join(directory, 'alice.jwe'), join(directory, 'mallory.jwe'))
  expect(await files.read('mallory')).toBeUndefined()
  const others = createSealedFiles(directory, createCipher(new Uint8Array(32)))
  expect(await others.read('alice')).toBeUndefined()
})

test('lets one of many movers win', async () => {
  const from = createSealedFiles(join(directory, 'from'), cipher)
  const to = createSealedFiles(join(directory, 'to'), cipher)
  await from.write('a', 1)
  const moves = await Promise.all(Array.from({ length: 10 }, () => from.move('a', to)))
  expect(moves.filter(Boolean)).toHaveLength(1)
  expect(await to.read('a')).toBe(1)
})
