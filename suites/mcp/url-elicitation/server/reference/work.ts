/** What all steps of this server share: its settings, its parts, and what is in progress. */

import type { RequestStateCodec } from '@modelcontextprotocol/server'

import type { Logins } from './browser/logins.ts'
import type { Settings } from './config.ts'
import type { Elicitations } from './elicitations.ts'
import type { CallState } from './mcp/request-state.ts'
import type { Flows } from './oauth/flows.ts'
import type { Provider } from './oauth/provider.ts'
import type { Parts } from './parts.ts'
import type { TokenVault } from './tokens/token-vault.ts'
import type { BoundFetch } from './upstream/bound-fetch.ts'

export interface Work {
  readonly settings: Settings
  readonly parts: Parts
  readonly fetch: BoundFetch
  readonly provider: () => Promise<Provider>
  readonly vault: TokenVault
  readonly elicitations: Elicitations
  readonly flows: Flows
  readonly logins: Logins
  readonly requestState: RequestStateCodec<CallState>
}
