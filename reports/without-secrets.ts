/** Takes secrets and personal paths out of a configuration before it is stored. */

import { sensitiveName, type CommonConfiguration } from '../harness/index.ts'
import { mapStrings } from './map-strings.ts'

const placeholder = '[not recorded]'

/** A value made of placeholders only tells nothing. */
const onlyPlaceholders = /^(\{[a-zA-Z][\w.]*\})+$/

/** The configuration as used: client secret, header values and telling environment values are left out. */
export function withoutSecrets(configuration: CommonConfiguration): Record<string, unknown> {
  const { target, provider, ...rest } = configuration
  const { secret, ...client } = provider?.client ?? {}
  return {
    ...rest,
    target: {
      ...target,
      url: withoutUserinfo(target.url),
      ...(target.endpoint === undefined ? {} : { endpoint: withoutUserinfo(target.endpoint) }),
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
}

function environmentValue(name: string, value: string): string {
  return sensitiveName.test(name) && !onlyPlaceholders.test(value) ? placeholder : value
}

function withoutUserinfo(url: string): string {
  return url.replace(/^([a-z][\w+.-]*:\/\/)[^/?#]*@/i, `$1`)
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
