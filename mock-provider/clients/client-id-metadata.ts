/** Clients whose id is the address of a document about them (draft-ietf-oauth-client-id-metadata-document). */
import { z } from 'zod'
import { OAuthError } from '../http/oauth-error.ts'
import type { ProviderState } from '../provider/state.ts'
import { clientMetadata, clientOf, type ClientMetadata } from './client-metadata.ts'
import type { RegisteredClient } from './client.ts'
import { fetchJson } from './fetch-document.ts'

/** Milliseconds that a document is believed. */
const freshness = 300_000

/** §4.1: what distinguishes such a document. A secret would be no secret in it. */
const document = z.looseObject({
  client_id: z.string(),
  client_secret: z.undefined().optional(),
  client_secret_expires_at: z.undefined().optional(),
  token_endpoint_auth_method: z.enum(['none', 'private_key_jwt']).default('none'),
})

/**
 * The client with this id: a registered one, or one that publishes what it is. Its document is
 * fetched when the client is first seen, and again when it is no longer fresh.
 * @throws OAuthError `invalid_client` for a document that is out of reach or invalid
 */
export async function findClient(
  state: ProviderState,
  clientId: string | undefined,
): Promise<RegisteredClient | undefined> {
  const registered = await state.clients.get(clientId)
  return registered || clientId === undefined || !isDocumentAddress(clientId)
    ? registered
    : publishedClient(state, clientId)
}

async function publishedClient(state: ProviderState, clientId: string): Promise<RegisteredClient> {
  const metadata = await describedClient(state, clientId)
  try {
    return state.clients.adopt({ ...clientOf(metadata, state.settings.scopes), clientId })
  } catch {
    throw refusal('the client metadata document is contradictory')
  }
}

/** §3: an https URL with a path, without dot segments, a fragment, or credentials. */
export function isDocumentAddress(clientId: string): boolean {
  if (!URL.canParse(clientId)) return false
  const { protocol, username, password, pathname, href } = new URL(clientId)
  const plain = !username && !password && !clientId.includes('#')
  // what is normalised away was not meant to be compared as a string
  return protocol === 'https:' && pathname !== '/' && plain && href === clientId
}

async function describedClient(state: ProviderState, clientId: string): Promise<ClientMetadata> {
  const { clientDocuments } = state
  const known = await clientDocuments.get(clientId)
  const content = known ?? (await fetchDocument(state, clientId))
  const own = document.safeParse(content)
  const metadata = clientMetadata.safeParse(own.data)
  // §4.1: compared as strings
  if (!own.success || !metadata.success || own.data.client_id !== clientId) {
    throw refusal('the client metadata document is invalid')
  }
  if (!known) await clientDocuments.set(clientId, content, freshness)
  return metadata.data
}

async function fetchDocument({ settings }: ProviderState, clientId: string): Promise<unknown> {
  try {
    return await fetchJson(settings.fetch, clientId)
  } catch {
    throw refusal('the client metadata document could not be fetched')
  }
}

const refusal = (description: string) =>
  new OAuthError('invalid_client', description, { status: 400 })
