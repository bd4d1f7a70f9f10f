/** Arguments of a tool that a client repeats in headers (2026-07-28, Streamable HTTP, Custom Headers from Tool Parameters). */

import { isRecord, membersOf } from './values.ts'

/** Which argument, by the names that lead to it, goes into which header. */
export type ParameterHeaders = readonly {
  readonly header: string
  readonly path: readonly string[]
}[]

/** What the schema of a tool marks: only what is reached by `properties` alone counts. */
export function parameterHeadersOf(
  schema: unknown,
  path: readonly string[] = [],
): ParameterHeaders {
  return Object.entries(membersOf(membersOf(schema)['properties'])).flatMap(([name, property]) => {
    const here = [...path, name]
    const header = membersOf(property)['x-mcp-header']
    const own = typeof header === 'string' && isToken(header) ? [{ header, path: here }] : []
    return [...own, ...parameterHeadersOf(property, here)]
  })
}

/** The headers of a call with these arguments; none where there is no value, or null. */
export function headersOfArguments(
  parameters: ParameterHeaders,
  given: unknown,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    parameters.flatMap(({ header, path }) => {
      const value = path.reduce<unknown>(
        (from, name) => (isRecord(from) ? from[name] : undefined),
        given,
      )
      return isPrimitive(value) ? [[`mcp-param-${header.toLowerCase()}`, encoded(`${value}`)]] : []
    }),
  )
}

function isPrimitive(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** RFC 9110 §5.6.2. */
function isToken(text: string): boolean {
  return /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/.test(text)
}

/** What a field cannot carry as it is, or could be taken for an encoded value, is encoded (Value Encoding). */
function encoded(text: string): string {
  const isPlain = /^(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/.test(text)
  return isPlain && !/^=\?base64\?.*\?=$/.test(text)
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`
}
