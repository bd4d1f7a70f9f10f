/**
 * To be loaded before a program of Node: the names in the hosts file `NSS_WRAPPER_HOSTS` mean to it what stands there.
 *
 * @example
 * NSS_WRAPPER_HOSTS=./hosts NODE_OPTIONS=--import=agent-oauth-conformance/resolve-names node agent.js
 */

import dns, { type LookupOptions } from 'node:dns'
import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import type { LookupFunction } from 'node:net'
import { hostsVariable, lookupWith, parseHosts } from './local-names.ts'

const file = process.env[hostsVariable]
const names = parseHosts(file ? readFileSync(file, 'utf8') : '')
const usual = dns.lookup
const usually = dns.promises.lookup
const lookup = lookupWith(names, usual)

/** `dns.lookup` takes its options as an object, as the number of a family, or not at all. */
function replaced(
  hostname: string,
  given: LookupOptions | number | Parameters<LookupFunction>[2],
  callback?: Parameters<LookupFunction>[2],
): void {
  if (typeof given === 'function') return lookup(hostname, {}, given)
  const options = typeof given === 'number' ? { family: given } : given
  if (callback) lookup(hostname, options, callback)
}

// Only the ways to call them that programs use are declared here, while Node's type has them all.
dns.lookup = Object.assign(replaced, usual)
dns.promises.lookup = ((hostname: string, options: LookupOptions = {}) =>
  names.has(hostname.toLowerCase())
    ? new Promise((resolve, reject) => {
        lookup(hostname, options, (error, address, family) => {
          if (error) reject(error)
          else resolve(options.all === true ? address : { address, family })
        })
      })
    : usually(hostname, options)) as unknown as typeof dns.promises.lookup
syncBuiltinESMExports()
