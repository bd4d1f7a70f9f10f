/** Finds the credentials that a vendor hands to its implementation: they must be in no artefact of ours. */

import { shortestSecret } from './encodings.ts'

/** Names of environment variables whose values are likely to be credentials. */
export const sensitiveName =
  /secret|token|passw|credential|auth|cookie|(^|_)(api_?)?key($|_)|private/i

/** Addresses are no secrets, and a recording without them could not be judged. */
const address = /^([a-z][\w+.-]*:\/\/|\/|[\w.-]+:\d+$)/i

/** The name of a mode or a method, such as `client_secret_basic`; it may stand anywhere. */
const words = /^[a-z]+([ _.-][a-z]+)*$/i

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The values that look like credentials, by their names: those that the configuration takes from the environment
 * (`{env.NAME}`) and those that it writes down for the implementation's own.
 */
export function vendorSecrets(
  configuration: { readonly target: { readonly env: Readonly<Record<string, string>> } },
  environment: Environment = process.env,
): string[] {
  const taken = [...JSON.stringify(configuration).matchAll(/\{env\.(\w+)\}/g)].map(
    ([, name = '']) => [name, environment[name] ?? ''] as const,
  )
  const written = Object.entries(configuration.target.env).filter(
    ([, value]) => !/[{}]/.test(value),
  )
  return [...taken, ...written]
    .filter(
      ([name, value]) => sensitiveName.test(name) && !address.test(value) && !words.test(value),
    )
    .map(([, value]) => value)
    .filter((value) => value.length >= shortestSecret)
}
