import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFolder } from './make-folder.ts'

describe('makeFolder', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'make-folder-'))
  })
  afterAll(() => {
    rmSync(folder, { recursive: true })
  })

  it('makes the folders above it and says which was the first', () => {
    expect(makeFolder(join(folder, 'a/b/c'))).toBe(join(folder, 'a'))
    expect(statSync(join(folder, 'a/b/c')).isDirectory()).toBe(true)
  })

  it('leaves one that is there as it is', () => {
    expect(makeFolder(folder)).toBeUndefined()
  })

  it('refuses a file', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(() => makeFolder(join(folder, 'file'))).toThrow('EEXIST')
    expect(() => makeFolder(join(folder, 'file/below'))).toThrow('ENOTDIR')
  })

  it.runIf(existsSync('/proc/self'))(
    'returns where a file system refuses folders by ENOENT',
    () => {
      expect(() => makeFolder('/proc/no-such/below')).toThrow('ENOENT')
    },
  )
})
