/** Host names that mean an address of this machine, although nobody has entered them into its hosts file. */

import { lookup as ask, type LookupAddress, type LookupOptions } from 'node:dns'
import { createRequire } from 'node:module'
import type { LookupFunction } from 'node:net'
import { pathToFileURL } from 'node:url'

/** Names in lower case, with the address that each of them means. */
export type LocalNames = ReadonlyMap<string, string>

/** The variable with the path of a hosts file, as libnss_wrapper has it; `resolve-names.ts` reads the same one. */
export const hostsVariable = 'NSS_WRAPPER_HOSTS'

/** Looks names up as always, but for those that mean this machine. */
export function lookupWith(names: LocalNames, otherwise: LookupFunction = ask): LookupFunction {
  return (hostname, options, callback) => {
    const address = names.get(hostname.toLowerCase())
    if (address === undefined) return otherwise(hostname, options, callback)
    const found: LookupAddress = { address, family: 4 }
    process.nextTick(() =>
      wantsAll(options) ? callback(null, [found]) : callback(null, address, found.family),
    )
  }
}

function wantsAll(options: LookupOptions): boolean {
  return options.all === true
}

/** The text of a hosts file (hosts(5)). */
export function hostsFile(names: LocalNames): string {
  const lines = [...names].map(([name, address]) => `${address} ${name}`)
  return ['127.0.0.1 localhost', '::1 localhost', ...lines, ''].join('\n')
}

/** What such a file says of names other than localhost. */
export function parseHosts(text: string): LocalNames {
  const fields = text.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/))
  return new Map(
    fields
      .flatMap(([address = '', ...names]) =>
        names.map((name) => [name.toLowerCase(), address] as const),
      )
      .filter(([name]) => name !== 'localhost'),
  )
}

/**
 * What makes a program resolve the names of a hosts file: for whoever asks libc, by libnss_wrapper where it is here, Go
 * included where it is linked with it; and for Node, by a file of ours.
 */
export function namesEnvironment(
  file: string,
  library: string | undefined,
): Readonly<Record<string, string>> {
  // By the name of the package, since sources and what is compiled from them lie in different places.
  const ours = createRequire(import.meta.url).resolve('agent-oauth-conformance/resolve-names')
  return {
    [hostsVariable]: file,
    NODE_OPTIONS: `--import=${pathToFileURL(ours).href}`,
    GODEBUG: 'netdns=cgo',
    ...(library === undefined ? {} : { LD_PRELOAD: library }),
  }
}
