/** Fills `{provider.issuer}`-like placeholders in a command, an environment or a URL. */

import { ConfigurationError } from '../../engine/configuration.ts'

/** Thrown for an unknown placeholder; the message lists the known ones. */
export class TemplateError extends ConfigurationError {
  override readonly code = 'unknown_placeholder'
  readonly placeholder: string
  readonly known: readonly string[]
  constructor(placeholder: string, known: readonly string[]) {
    const all = known.map((each) => `{${each}}`).join(', ')
    super([`unknown placeholder {${placeholder}}; known are ${all}`])
    this.name = 'TemplateError'
    this.placeholder = placeholder
    this.known = known
  }
}

/** Values of placeholders by their names, without braces. */
export type Placeholders = Readonly<Record<string, string>>

/**
 * Fills in placeholders, which look like `{a.b}`; `{env.NAME}` reads the environment of the harness.
 * @throws TemplateError (`unknown_placeholder`) for one that has no value
 */
export function fill(template: string, values: Placeholders): string {
  return template.replace(/\{([a-zA-Z][\w.]*)\}/g, (_, name: string) => {
    if (name.startsWith('env.')) {
      const value = process.env[name.slice('env.'.length)]
      if (value === undefined) throw new TemplateError(name, Object.keys(values))
      return value
    }
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) throw new TemplateError(name, Object.keys(values))
    return value
  })
}
