/** Says where in a configuration an unknown placeholder stands, and which one may have been meant. */

import type { CommonConfiguration, TemplateError } from '../../harness/parties/index.ts'
import { suggest } from '../input/suggest.ts'
import { UsageError } from '../input/usage-error.ts'

/** The message for a placeholder that only turned out to be unknown when it was filled in. */
export function unknownPlaceholder(
  { placeholder, known }: TemplateError,
  configuration: CommonConfiguration,
): UsageError {
  const path = pathTo(`{${placeholder}}`, configuration) ?? 'the configuration'
  const near = suggest(placeholder, known).map((name) => `{${name}}`)
  return new UsageError(`${path}: there is no placeholder {${placeholder}}`, [
    ...(near.length > 0 ? [`did you mean ${near.join(' or ')}?`] : []),
    `there are ${known.map((name) => `{${name}}`).join(', ')}, and {env.NAME}`,
  ])
}

/** The path of the first value that is this one, or a text that contains it. */
export function pathTo(
  wanted: unknown,
  value: unknown,
  path: readonly string[] = [],
): string | undefined {
  if (typeof value === 'string' && typeof wanted === 'string' && value.includes(wanted))
    return path.join('.')
  if (value === wanted) return path.join('.')
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, each] of Object.entries(value)) {
    const found = pathTo(wanted, each, [...path, key])
    if (found !== undefined) return found
  }
  return undefined
}
