import { expect, test } from 'vitest'
import { z } from 'zod'
import { inPlainWords } from './plain-issue.ts'

const said = (schema: z.ZodType, value: unknown): string | undefined =>
  schema.safeParse(value, { error: inPlainWords }).error?.issues[0]?.message

test.each<[z.ZodType, unknown, string]>([
  [z.string(), 3, 'expected a text'],
  [z.object({ a: z.array(z.string()) }), { a: 'x' }, 'expected a list'],
  [z.record(z.string(), z.string()), undefined, 'expected an object'],
  [z.boolean(), 'yes', 'expected true or false'],
  [z.number().int(), 1.5, 'expected a whole number'],
  [z.enum(['open', 'ignore-query']), 'shut', 'expected "open" or "ignore-query"'],
  [z.literal(1), 2, 'expected 1'],
  [z.number().min(1), 0, 'expected at least 1'],
  [z.number().positive(), 0, 'expected more than 0'],
  [z.number().max(65535), 70000, 'expected at most 65535'],
  [z.string().min(1), '', 'expected at least 1 character'],
  [z.array(z.string()).min(2), [], 'expected at least 2 entries'],
  [z.url(), 'here', 'expected an absolute URL'],
  [z.string('expected its name'), 3, 'expected its name'],
])('%#: %s', (schema, value, message) => {
  expect(said(schema, value)).toBe(message)
})
