import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Unreached } from '../../engine/scenario.ts'
import { filesAt, outputOf, readable } from './declared-files.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'declared-files-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('reads files and folders, whatever lies below, and follows no link', () => {
  mkdirSync(join(folder, 'store/deep'), { recursive: true })
  writeFileSync(join(folder, 'store/a'), 'one')
  writeFileSync(join(folder, 'store/deep/b'), Buffer.from([0, 255]))
  writeFileSync(join(folder, 'elsewhere'), 'not declared')
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'store/link'))
  const { files, truncated } = filesAt([join(folder, 'store'), join(folder, 'missing')])
  expect(files.map(({ path, content }) => [path, content.toString('latin1')])).toEqual([
    [join(folder, 'store/a'), 'one'],
    [join(folder, 'store/deep/b'), '\u0000\u00ff'],
  ])
  expect(truncated).toBe(false)
})

test('a command is started without a shell, in the folder of the configuration', async () => {
  const print = 'process.stdout.write(process.cwd() + " " + process.argv[1])'
  const { content } = await outputOf([process.execPath, '-e', print, '{data.dir}; $(id)'], {
    base: folder,
    values: { 'data.dir': '/data' },
  })
  expect(content.toString()).toMatch(/declared-files-\w+ \/data; \$\(id\)$/)
})

test('a command that fails proves nothing', async () => {
  const failing = outputOf([process.execPath, '-e', 'process.exit(3)'], {
    base: folder,
    values: {},
  })
  await expect(failing).rejects.toThrow(Unreached)
})

describe('what is compressed in a file', () => {
  const secret = 'a refresh token of some length'
  const row = (bytes: Buffer): Buffer =>
    Buffer.concat([Buffer.from('\u0000\u0000\u0012row '), bytes, Buffer.from(' next row')])

  test.each([
    ['gzip', gzipSync(secret)],
    ['zlib', deflateSync(secret)],
    ['zlib at its fastest', deflateSync(secret, { level: 1 })],
    ['zlib at its best', deflateSync(secret, { level: 9 })],
  ])('%s is read, alone and within other bytes', (_, bytes) => {
    expect(readable(bytes)).toContain(secret)
    expect(readable(row(bytes))).toContain(secret)
  })

  test('the last of many rows is read', () => {
    const rows = Array.from({ length: 500 }, (_, index) => row(gzipSync(`row ${index}`)))
    expect(readable(Buffer.concat([...rows, row(deflateSync(secret))]))).toContain(secret)
  })

  test('what is not compressed gives nothing of that kind', () => {
    expect(readable(Buffer.from('{"token":"x"}'))).toBe('{"token":"x"}\n')
    expect(readable(randomBytes(64 * 1024))).not.toContain(secret)
  })
})
