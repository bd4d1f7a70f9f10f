/** The revisions of the Model Context Protocol, and what a client sends otherwise from one to the next. */

export const revisions = ['2025-06-18', '2025-11-25', '2026-07-28'] as const
/** A revision of the protocol, by its date. */
export type Revision = (typeof revisions)[number]

/** Whether a connection begins with `initialize`; later revisions say with every request what that said once. */
export function hasHandshake(revision: string): boolean {
  return revision < '2026-07-28'
}

/** What a client can do, by the names of the protocol. */
export type Capabilities = Readonly<Record<string, unknown>>

const clientInfo = { name: 'mcp-client', version: '1.0.0' }

/** `params` of `initialize` (2025-11-25, Lifecycle, Initialization). */
export function initialization(revision: Revision, capabilities: Capabilities) {
  return { protocolVersion: revision, capabilities, clientInfo }
}

/** What every request carries where there is no handshake (2026-07-28, `_meta`). */
export function envelope(revision: Revision, capabilities: Capabilities) {
  return {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  }
}

/** The headers that repeat a request where there is no handshake (2026-07-28, Streamable HTTP). */
export function mirrored(method: string, params: Readonly<Record<string, unknown>>) {
  const { name } = params
  return {
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
  }
}
