/** The request that a template of the configuration stands for. */

import { fill } from '../implementation/template.ts'
import type { HttpTemplate } from './configuration.ts'

/** A request that a template became. */
export interface UserRequest {
  /** Below the address of the runtime. */
  readonly path: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/**
 * Fills in whose conversation it is, and what its user says. Only what is sent as JSON gets its content type: there are
 * servers that refuse an empty body that is announced as JSON. `everywhere` are the headers of every request.
 */
export function userRequest(
  { method, path, headers, body }: HttpTemplate,
  { conversation, user, text }: Readonly<Record<'conversation' | 'user' | 'text', string>>,
  everywhere: Readonly<Record<string, string>> = {},
): UserRequest {
  const values = { conversation, user, text }
  return {
    method,
    path: fill(path, encoded(values)),
    headers: {
      ...(body === undefined || typeof body === 'string'
        ? {}
        : { 'content-type': 'application/json' }),
      ...everywhere,
      ...lowerCased(headers, values),
    },
    body: bodyOf(body, values),
  }
}

function encoded(values: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, encodeURIComponent(value)]),
  )
}

function lowerCased(headers: Readonly<Record<string, string>>, values: Record<string, string>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), fill(value, values)]),
  )
}

/** A text is filled in as it is; in anything else the strings are, and it is sent as JSON. */
function bodyOf(template: unknown, values: Record<string, string>): string | undefined {
  if (template === undefined) return undefined
  if (typeof template === 'string') return fill(template, values)
  return JSON.stringify(filled(template, values))
}

function filled(value: unknown, values: Record<string, string>): unknown {
  if (typeof value === 'string') return fill(value, values)
  if (Array.isArray(value)) return value.map((item) => filled(item, values))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each, values)]))
}
