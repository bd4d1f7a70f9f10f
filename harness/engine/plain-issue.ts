/** What zod expects of a value, in words for whoever wrote that value; where it says so itself, that stands. */

import type { z } from 'zod'

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

/** An error map for `safeParse`: names what was expected, because what was found is shown beside it. */
export function inPlainWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') return `expected ${kinds[issue.expected] ?? issue.expected}`
  if (issue.code === 'invalid_value') return `expected ${listed(issue.values)}`
  if (issue.code === 'too_small') return bounded('at least', 'more than', issue.minimum, issue)
  if (issue.code === 'too_big') return bounded('at most', 'less than', issue.maximum, issue)
  if (issue.code === 'invalid_format' && issue.format === 'url') return 'expected an absolute URL'
  return undefined
}

function listed(values: readonly unknown[]): string {
  return values.map((each) => JSON.stringify(each)).join(' or ')
}

function bounded(
  inclusive: string,
  exclusive: string,
  limit: number | bigint,
  issue: { readonly origin: string; readonly inclusive?: boolean },
): string {
  const unit = { string: 'character', array: 'entry', set: 'entry' }[issue.origin]
  const many = limit === 1 ? unit : unit?.replace(/y$/, 'ie').concat('s')
  const relation = issue.inclusive === false ? exclusive : inclusive
  return `expected ${relation} ${limit}${many === undefined ? '' : ` ${many}`}`
}
