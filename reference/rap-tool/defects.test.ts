import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { defects } from './defects.ts'
import { defaultParts } from './parts.ts'

test.each(defects.map(({ id, ...defect }) => [id, defect] as const))(
  '%s replaces steps that there are',
  (id, { description, parts }) => {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    expect(description).toMatch(/^[^\n]{10,110}[^.\n]$/)
    const replaced = Object.keys(parts(defaultParts))
    expect(replaced).not.toEqual([])
    expect(Object.keys(defaultParts)).toEqual(expect.arrayContaining(replaced))
  },
)

test('every defect has a name of its own', () => {
  const ids = defects.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a defect that does not exist is refused with the known ones', async () => {
  const jiti = fileURLToPath(new URL('../../node_modules/jiti/lib/jiti-cli.mjs', import.meta.url))
  const main = fileURLToPath(new URL('defective.ts', import.meta.url))
  const env = { PATH: process.env['PATH'] ?? '', DEFECT: 'none' }
  const tool = spawn(process.execPath, [jiti, main], { env })
  const [errors, [code]] = await Promise.all([text(tool.stderr), once(tool, 'exit')])
  expect(code).toBe(2)
  expect(errors).toContain('DEFECT must be one of toolset-names-twice, ')
})
