/** A connection to a server over HTTP, and how any connection is opened. */

import { Unreached, type Run } from '../../../harness/engine/index.ts'
import type { Deployment } from '../../../harness/parties/index.ts'
import { McpClient, type ClientParts } from '../wire/client.ts'
import { HttpLink } from '../wire/http-link.ts'
import type { Link, LinkParts, Session } from '../wire/link.ts'

export interface HttpConnection {
  readonly run: Run
  readonly deployment: Deployment
  /** The MCP endpoint. */
  readonly endpoint: string
  /** What every request carries. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether its requests follow each other on one connection of TCP. */
  readonly keepAlive?: boolean | undefined
}

/** A way to the endpoint for one client. */
export function httpLink(connection: HttpConnection): (parts: LinkParts) => Link {
  const { run, deployment, endpoint: url, headers, keepAlive } = connection
  const { streaming: transport } = deployment
  const { signal, timing } = run
  return (parts) =>
    new HttpLink({ ...parts, transport, url, headers, keepAlive, signal, within: timing.stepMs })
}

/** The MCP endpoint, absolute; over stdio there is none. */
export function endpointOf(
  { implementation }: Pick<Deployment, 'implementation'>,
  { endpoint, transport }: { readonly endpoint: string; readonly transport?: 'http' | 'stdio' },
): string {
  return transport === 'stdio' ? '' : new URL(endpoint, `${implementation.url}/`).href
}

export interface OpenOptions {
  /** What the handshake of another connection agreed on; default: one of its own. */
  readonly session?: Session | undefined
  /** Whether a client that joins another's session asks for a stream of its own. */
  readonly listens?: boolean | undefined
  /** Milliseconds that the handshake may take at least; default: as patience has it. */
  readonly atLeast?: number
}

/**
 * A client that can be used: after its handshake, or in a session that another connection began.
 * @throws Unreached where the server refuses it
 */
export async function openClient(
  parts: ClientParts,
  { session, listens, atLeast }: OpenOptions = {},
): Promise<McpClient> {
  const client = new McpClient(parts)
  if (session !== undefined) client.join(session)
  if (listens === true) await client.listen()
  const problem = session === undefined ? await client.open(atLeast) : undefined
  if (problem === undefined) return client
  await client.close()
  throw new Unreached(`${parts.name} could not be opened: ${problem}`)
}
