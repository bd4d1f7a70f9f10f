/** The settings that a certification was made with, as far as they are not what everybody has. */

import type { AnyProfile } from '../../harness/engine/index.ts'
import { canonicalJson } from '../record/catalogue.ts'
import type { RunRecord } from '../record/run-record.ts'

/** What a reader has to see even where it is the default: how lenient the provider was. */
const alwaysShown = ['provider.redirectMatching', 'provider.client.pkce']
/** These name what is certified; the certificate says so elsewhere. */
const naming = /^(\$schema|profile|implementation)(\.|$)/

/** Path of a setting → its value, for every setting of the run that differs from its default, and the lenient ones. */
export function certifiedSettings(
  { configuration }: RunRecord,
  profile: AnyProfile,
): Record<string, unknown> {
  const shown = leavesOf(configuration).filter(
    ({ path, value }) =>
      !naming.test(path.join('.')) &&
      (alwaysShown.includes(path.join('.')) || !isDefault(path, value, configuration, profile)),
  )
  return Object.fromEntries(shown.map(({ path, value }) => [path.join('.'), value] as const))
}

interface Leaf {
  readonly path: readonly string[]
  readonly value: unknown
}

function leavesOf(value: unknown, path: readonly string[] = []): Leaf[] {
  if (!isObject(value)) return [{ path, value }]
  return Object.entries(value).flatMap(([key, each]) => leavesOf(each, [...path, key]))
}

/** Whether the configuration would say the same if the setting had been left out. */
function isDefault(
  path: readonly string[],
  value: unknown,
  configuration: unknown,
  { configuration: schema }: AnyProfile,
): boolean {
  const parsed = schema.safeParse(readable(without(configuration, path)))
  return parsed.success && canonicalJson(at(parsed.data, path)) === canonicalJson(value)
}

/** A secret that was not recorded would be too short for one. */
function readable(configuration: unknown): unknown {
  return without(configuration, ['provider', 'client', 'secret'])
}

function without(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (!isObject(value) || key === undefined || !(key in value)) return value
  const { [key]: inner, ...others } = value
  return rest.length === 0 ? others : { ...others, [key]: without(inner, rest) }
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((part, key) => (isObject(part) ? part[key] : undefined), value)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
