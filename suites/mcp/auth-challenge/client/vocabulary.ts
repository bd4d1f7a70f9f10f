/** Names that recordings and their readers share. */

/** The channel of requests to a server of ours beside its MCP endpoint: metadata above all. */
export const metadataChannel = 'metadata'
/** The channel of requests to where no client should go. */
export const trapChannel = 'trap'

/** The tools of the two servers: a client that knows both can tell them apart. */
export const tools = ['list_items', 'list_notes'] as const

/** The scope that the tools need, and that every challenge names. */
export const neededScope = 'items:read'
/** What a later challenge names. */
export const furtherScope = 'items:write'
/** What the metadata offers. */
export const offeredScopes = [neededScope, furtherScope] as const

/** What is shown of a challenge where nothing else can be done about it. */
export function signInText(note: string): string {
  return `Please sign in to see your items (${note}).`
}

/** What a call that is served is answered with. */
export function itemsText(note: string): string {
  return `Two items are kept for ${note}.`
}

/** Marks that the metadata of the servers says something else from now on. */
export const metadataChanged = 'metadata-changed'

/** Marks that the metadata of the servers names another authorization server from now on. */
export const issuerChanged = 'issuer-changed'
