/** Takes secrets and personal paths out of a configuration before it is stored. */

import { sensitiveName, type BaseConfiguration } from '../../harness/engine/index.ts'
import { mapStrings } from './map-strings.ts'

const placeholder = '[not recorded]'

/** A value made of placeholders only tells nothing. */
const onlyPlaceholders = /^(\{[a-zA-Z][\w.]*\})+$/

/** What is configured of the parties, as far as it may hold a secret. */
export interface StoredConfiguration extends BaseConfiguration {
  readonly target: {
    readonly url: string
    readonly endpoint?: string | undefined
    readonly headers: Readonly<Record<string, string>>
    readonly env: Readonly<Record<string, string>>
  }
  readonly provider?: { readonly client: { readonly secret?: string | undefined } }
}

/**
 * The configuration as used. Left out are the client secret, header values, environment values with a telling name or
 * with something beside what comes from the environment, and the user part of every URL.
 */
export function withoutSecrets(configuration: StoredConfiguration): Record<string, unknown> {
  const { target, provider, ...rest } = configuration
  const { secret, ...client } = provider?.client ?? {}
  const stored = {
    ...rest,
    target: {
      ...target,
      headers: Object.fromEntries(Object.keys(target.headers).map((name) => [name, placeholder])),
      env: Object.fromEntries(
        Object.entries(target.env).map(([name, value]) => [name, environmentValue(name, value)]),
      ),
    },
    ...(provider && {
      provider: {
        ...provider,
        client: { ...client, ...(secret === undefined ? {} : { secret: placeholder }) },
      },
    }),
  }
  return mapStrings(stored, withoutUserinfo)
}

function environmentValue(name: string, value: string): string {
  const telling = sensitiveName.test(name) || value.includes('{env.')
  return telling && !onlyPlaceholders.test(value) ? placeholder : value
}

function withoutUserinfo(text: string): string {
  return text.replace(/(:\/\/)[^\s/?#"']*@/g, '$1')
}

/** Replaces folders by short names, where they stand as a path of their own, in every string of a value. */
export function shortenPaths<T>(value: T, folders: Readonly<Record<string, string>>): T {
  const known = Object.entries(folders)
    .filter(([, folder]) => folder.length > 1)
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([name, folder]) => ({ name, pattern: standingAlone(folder) }))
  return mapStrings(value, (text) =>
    known.reduce((shortened, { name, pattern }) => shortened.replace(pattern, name), text),
  )
}

function standingAlone(folder: string): RegExp {
  const escaped = folder.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![\\w.~-])${escaped}(?=/|$|[^\\w.-])`, 'g')
}
