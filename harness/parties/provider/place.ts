/** Where the provider of a run is: on this machine, under which names, and at which address and port. */

import {
  serveMockProvider,
  type MockProviderOptions,
  type RunningProvider,
  type ServerCertificate,
} from '../../../mock-provider/index.ts'
import { ConfigurationError } from '../../engine/configuration.ts'
import type { ProviderConfiguration } from '../provider-settings.ts'
import { freePort } from '../free-port.ts'

/** Under which names, at which of these addresses, at which port. */
export interface Place {
  readonly names: readonly string[]
  /** The first one that is free is taken. */
  readonly addresses: readonly string[]
  readonly port: number
}

/** A provider that runs, with the address that its names mean. */
export interface PlacedProvider extends RunningProvider {
  readonly address: string
}

const loopback = '127.0.0.1'
/** Real names have the port that everybody means, so each provider of them has an address of its own. */
const realPort = 443
const realAddresses = Array.from({ length: 150 }, (_, index) => `127.0.0.${77 + index}`)

/** The place that is configured: beside 127.0.0.1, a name of the vendor's choice, or those of a real provider. */
export function placeOf({
  hostname,
  hostnames,
  port,
}: Pick<ProviderConfiguration, 'hostname' | 'hostnames' | 'port'>): Place {
  if (hostnames) return { names: hostnames, addresses: realAddresses, port: realPort }
  return { names: hostname === undefined ? [] : [hostname], addresses: [loopback], port }
}

/** Whether two providers at this place would be in the way of each other. */
export function isFixed({ port, addresses }: Place): boolean {
  return port !== 0 && addresses.length === 1
}

/** Serves a provider there, under the first name. @throws ConfigurationError where port 443 cannot be had */
export async function serveAt(
  place: Place,
  options: MockProviderOptions & { readonly tls: ServerCertificate; readonly path?: string },
): Promise<PlacedProvider> {
  const [name] = place.names
  // Under a name the port must be known first, being a part of the issuer.
  const port = name !== undefined && place.port === 0 ? await freePort() : place.port
  const { path = '' } = options
  const issuer =
    name === undefined ? {} : { issuer: new URL(`https://${name}:${port}`).origin + path }
  for (const address of place.addresses) {
    try {
      const served = await serveMockProvider({ ...options, ...issuer, hostname: address, port })
      return { ...served, address }
    } catch (error) {
      const isTaken = codeOf(error) === 'EADDRINUSE' && place.addresses.length > 1
      if (!isTaken) throw port === realPort ? unbound(error, address) : error
    }
  }
  throw new ConfigurationError([
    `provider.hostnames: port ${realPort} is taken at every address from ${place.addresses[0]} on`,
  ])
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/** Why a real name cannot be served here, and what helps. */
export function unbound(error: unknown, address: string): unknown {
  switch (codeOf(error)) {
    case 'EACCES':
      return new ConfigurationError([
        `provider.hostnames: this user may not listen on port ${realPort} of ${address} (EACCES); one of three ways: run as root, ` +
          `sudo setcap cap_net_bind_service=+ep "$(readlink -f "$(command -v node)")", ` +
          `or sudo sysctl net.ipv4.ip_unprivileged_port_start=${realPort}`,
      ])
    case 'EADDRNOTAVAIL':
      return new ConfigurationError([
        `provider.hostnames: this machine has no ${address} (EADDRNOTAVAIL); on macOS: sudo ifconfig lo0 alias ${address}`,
      ])
    default:
      return error
  }
}
