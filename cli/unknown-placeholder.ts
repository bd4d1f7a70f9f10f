/** Says where in a configuration an unknown placeholder stands, and which one may have been meant. */

import type { CommonConfiguration, TemplateError } from '../harness/index.ts'
import { suggest } from './suggest.ts'
import { UsageError } from './usage-error.ts'

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

/** The path of the first text that contains this one. */
function pathTo(wanted: string, value: unknown, path: readonly string[] = []): string | undefined {
  if (typeof value === 'string') return value.includes(wanted) ? path.join('.') : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, each] of Object.entries(value)) {
    const found = pathTo(wanted, each, [...path, key])
    if (found !== undefined) return found
  }
  return undefined
}
