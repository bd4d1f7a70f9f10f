import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Unreached } from '../../engine/scenario.ts'
import { filesAt, outputOf } from './declared-files.ts'

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
