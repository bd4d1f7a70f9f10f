/** A provider that the implementation was never told of: what it issues must not be taken for the provider's. */

import { serveMockProvider, type MockProvider } from '../../../mock-provider/index.ts'
import type { Surroundings } from '../deployment/surroundings.ts'
import { recordProvider } from './provider-recorder.ts'
import { tokenOptions } from './set-up.ts'

/** Another issuer, with keys that can be fetched. */
export interface UnknownProvider {
  readonly issuer: string
  /** Where its keys can be fetched. */
  readonly jwksUri: string
  readonly issueToken: MockProvider['issueToken']
  readonly close: () => Promise<void>
}

export interface UnknownParts extends Pick<Surroundings, 'run' | 'configuration' | 'authority'> {
  readonly signingKey?: Surroundings['signingKey'] | undefined
}

/** Starts one, with keys of its own unless others are given. What it issues counts as a secret of the run. */
export async function openUnknownProvider({
  run,
  configuration,
  authority,
  signingKey,
}: UnknownParts): Promise<UnknownProvider> {
  const provider = await serveMockProvider({
    ...tokenOptions(configuration.provider),
    signingKey,
    tls: await authority.issue(['localhost', '127.0.0.1', '::1']),
  })
  recordProvider(provider, { ledger: run.ledger, log: run.log, name: 'unknown' })
  return {
    issuer: provider.issuer,
    jwksUri: `${provider.issuer}/jwks`,
    issueToken: (request) => provider.issueToken(request),
    close: () => provider.close(),
  }
}
