/** The tables of defects: each has a name of its own and replaces steps that there are. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { defects as runtimeDefects } from '../../reference/rap-runtime/defects.ts'
import { defaultParts as runtimeParts } from '../../reference/rap-runtime/parts.ts'
import { defects as toolDefects } from '../../reference/rap-tool/defects.ts'
import { defaultParts as toolParts } from '../../reference/rap-tool/parts.ts'

const tables = [
  {
    reference: 'rap-tool',
    steps: Object.keys(toolParts),
    defects: toolDefects.map(({ parts, ...row }) => ({ ...row, replaced: parts(toolParts) })),
  },
  {
    reference: 'rap-runtime',
    steps: Object.keys(runtimeParts),
    defects: runtimeDefects.map(({ parts, ...row }) => ({ ...row, replaced: parts(runtimeParts) })),
  },
]

describe.each(tables)('$reference', ({ reference, steps, defects }) => {
  const named = defects.map((defect) => [defect.id, defect] as const)
  test.each(named)('%s replaces steps that there are', (id, { description, replaced }) => {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    expect(description).toMatch(/^[^\n]{10,110}[^.\n]$/)
    expect(Object.keys(replaced)).not.toEqual([])
    expect(steps).toEqual(expect.arrayContaining(Object.keys(replaced)))
  })

  test('every defect has a name of its own', () => {
    const ids = defects.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('a defect that does not exist is refused with the known ones', async () => {
    const jiti = fileURLToPath(new URL('../../node_modules/jiti/lib/jiti-cli.mjs', import.meta.url))
    const main = fileURLToPath(
      new URL(`../../reference/${reference}/defective.ts`, import.meta.url),
    )
    const env = { PATH: process.env['PATH'] ?? '', DEFECT: 'none' }
    const started = spawn(process.execPath, [jiti, main], { env })
    const [errors, [code]] = await Promise.all([text(started.stderr), once(started, 'exit')])
    expect(code).toBe(2)
    expect(errors).toContain(`${reference}: DEFECT must be one of ${defects[0]?.id}, `)
  })
})
