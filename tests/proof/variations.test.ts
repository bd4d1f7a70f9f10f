/** The tables of defects and oddities: each row has a name of its own and replaces steps that there are. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { profileFolder } from '../profile-folder.ts'
import type { Variation } from './role.ts'
import { roles } from './roles.ts'

type Parts = Readonly<Record<string, unknown>>

/** As the reference implementations declare them. */
interface Row extends Variation {
  readonly parts?: (defaults: Parts) => Parts
}

const folderOf = (profile: string): string =>
  fileURLToPath(new URL(`../../suites/${profileFolder(profile)}/reference/`, import.meta.url))

describe.each(roles.map((role) => [role.profile.id, role] as const))('%s', (profile, role) => {
  const { defects, oddities, settings } = role
  // Where it is no program of Node, its own table has the steps, and refuses a row that it does not have.
  const isElsewhere = settings.programs !== undefined
  const elsewhere =
    'the reference is no program of Node, and has no parts that could be replaced here'
  const rows: readonly Row[] = [...defects, ...oddities]

  test.each(rows.map((row) => [row.id, row] as const))('%s is said in one line', (id, row) => {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    expect(row.description).toMatch(/^[^\n]{10,110}[^.\n]$/)
  })

  test('what is replaced are steps that there are', async ({ skip }) => {
    skip(isElsewhere, elsewhere)
    const { defaultParts } = (await import(`${folderOf(profile)}parts.ts`)) as {
      readonly defaultParts: Parts
    }
    for (const { id, parts } of rows) {
      const steps = Object.keys(parts?.(defaultParts) ?? {})
      if (parts) expect(steps, id).not.toEqual([])
      expect(Object.keys(defaultParts), id).toEqual(expect.arrayContaining(steps))
    }
  })

  test('a row does something', ({ skip }) => {
    skip(isElsewhere, elsewhere)
    for (const { id, parts, env, configuration } of rows) {
      expect([parts, env, configuration].some(Boolean), id).toBe(true)
    }
  })

  test('an oddity says what permits it, and where it shows', () => {
    for (const { id, permitted, touches } of oddities) {
      expect(permitted, id).toMatch(/^\S.{5,}/)
      expect(touches, id).not.toEqual([])
    }
  })

  test('every row has a name of its own', () => {
    const ids = rows.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test.each(['DEFECT', 'ODDITY'])(
    'an unknown %s is refused with the known ones',
    async (variable) => {
      const known = variable === 'DEFECT' ? defects : oddities
      const jiti = fileURLToPath(
        new URL('../../node_modules/jiti/lib/jiti-cli.mjs', import.meta.url),
      )
      const env = { PATH: process.env['PATH'] ?? '', [variable]: 'none' }
      const ofNode = [process.execPath, jiti, `${folderOf(profile)}varied.ts`]
      const [program = '', ...args] = settings.programs?.varied ?? ofNode
      const started = spawn(program, args, { env })
      const [errors, [code]] = await Promise.all([text(started.stderr), once(started, 'exit')])
      expect(code).toBe(2)
      const named = isElsewhere ? known : known.slice(0, 1)
      const list = named.map(({ id }) => id).join(', ')
      expect(errors).toContain(`${variable} must be one of ${list}`)
    },
  )
})
