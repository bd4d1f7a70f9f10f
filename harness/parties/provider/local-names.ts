/** Host names that mean this machine, although nobody has entered them into its hosts file. */

import { lookup as ask, type LookupAddress, type LookupOptions } from 'node:dns'
import { createRequire } from 'node:module'
import type { LookupFunction } from 'node:net'
import { pathToFileURL } from 'node:url'

const address = '127.0.0.1'

/** The variable with the names, separated by commas, that `resolve-names.ts` reads in another process. */
export const namesVariable = 'AOC_HOSTNAMES'

/** Looks names up as always, but for those that mean this machine. */
export function lookupWith(
  names: ReadonlySet<string>,
  otherwise: LookupFunction = ask,
): LookupFunction {
  return (hostname, options, callback) => {
    if (!names.has(hostname.toLowerCase())) return otherwise(hostname, options, callback)
    const found: LookupAddress = { address, family: 4 }
    process.nextTick(() =>
      wantsAll(options) ? callback(null, [found]) : callback(null, address, found.family),
    )
  }
}

function wantsAll(options: LookupOptions): boolean {
  return options.all === true
}

/** The text of a hosts file (hosts(5)) for libraries that take one of their own, such as libnss_wrapper. */
export function hostsFile(names: readonly string[]): string {
  return [`${address} localhost ${names.join(' ')}`.trim(), '::1 localhost', ''].join('\n')
}

/** What makes a program of Node resolve the names: nothing is left in place where there are none. */
export function nodeEnvironment(
  names: readonly string[],
  inherited: string | undefined,
): Readonly<Record<string, string>> {
  if (names.length === 0) return {}
  // By the name of the package, since sources and what is compiled from them lie in different places.
  const file = createRequire(import.meta.url).resolve('agent-oauth-conformance/resolve-names')
  const preload = `--import=${pathToFileURL(file).href}`
  return {
    NODE_OPTIONS: [inherited, preload].filter(Boolean).join(' '),
    [namesVariable]: names.join(','),
  }
}
