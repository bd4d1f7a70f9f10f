/** Changes what an answer holds: the callback, and the AuthConfig around it. */

import { fieldsOf, type Fields } from '../../wire.ts'

/** A callback with another state, or with none. */
export function withState(redirect: string, state: string | undefined): string {
  const url = new URL(redirect)
  if (state === undefined) url.searchParams.delete('state')
  else url.searchParams.set('state', state)
  return url.href
}

/** Every string of a value, changed. */
function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each) => mapped(each, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapped(each, change)]))
}

/** Puts another state wherever an AuthConfig has the old one. */
export function replacing(state: string, other: string) {
  return (config: Fields): unknown => mapped(config, (text) => text.replaceAll(state, other))
}

/** Takes the state out of an AuthConfig, and out of its URLs. */
export function without(state: string) {
  return (config: Fields): unknown => {
    const bare = fieldsOf(
      mapped(config, (text) =>
        text === state ? '' : text.replace(new RegExp(`([?&])state=${escaped(state)}&?`), '$1'),
      ),
    )
    return withoutMember(bare, 'state')
  }
}

function withoutMember(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutMember(each, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== name)
      .map(([key, each]) => [key, withoutMember(each, name)]),
  )
}

function escaped(text: string): string {
  return text.replace(/[^\w]/g, '\\$&')
}

/** An AuthConfig that names another token endpoint, under whichever name. */
export function withTokenEndpoint(value: unknown, target: string): unknown {
  if (Array.isArray(value)) return value.map((each) => withTokenEndpoint(each, target))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      /^token_?(url|endpoint)$/i.test(key) ? target : withTokenEndpoint(each, target),
    ]),
  )
}
