/** The revisions of the Model Context Protocol, and what a client sends otherwise from one to the next. */

export const revisions = ['2025-06-18', '2025-11-25', '2026-07-28'] as const
/** A revision of the protocol, by its date. */
export type Revision = (typeof revisions)[number]

/** The first revision without a handshake. */
export const modernRevision: Revision = '2026-07-28'
/** The last revision with one. */
export const latestWithHandshake: Revision = '2025-11-25'
/** Every revision with one; those that nobody offers here any more may still be agreed on. */
export const withHandshake: readonly string[] = [
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  latestWithHandshake,
]

/** The one revision with batches (2025-03-26, Transports; 2025-06-18, Changelog). */
export const withBatches = '2025-03-26'

/** The code of the error for a revision that is not spoken (2026-07-28, Versioning). */
export const unsupportedRevision = -32022

/** Whether a connection begins with `initialize`; later revisions say with every request what that said once. */
export function hasHandshake(revision: string): boolean {
  return revision < modernRevision
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

/** The headers that repeat a request, arguments of tools apart, where there is no handshake (2026-07-28, Streamable HTTP). */
export function mirrored(method: string, params: Readonly<Record<string, unknown>>) {
  const { name } = params
  return {
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
  }
}
