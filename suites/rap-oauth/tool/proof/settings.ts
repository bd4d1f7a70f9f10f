/** How the reference tool is driven in the proof. */

import type { ProofSettings } from '../../../../tests/proof/role.ts'

export const settings: ProofSettings = {
  // The timeouts leave room for a busy machine: waiting costs little, since other runs go on meanwhile. Few scenarios
  // act at once, so that each flow is over quickly.
  configuration: {
    target: { env: { UPSTREAM_TIMEOUT_MS: '6000' } },
    declares: { pendingTimeout: '15s' },
    timing: { ack: '4s', step: '15s', observe: '3s', grace: '5s', maxWait: '25s', concurrency: 4 },
  },
  notOffered: [
    'arguments-against-schema',
    'registration-held-back',
    'registration-fails',
    'par-held-back',
    'par-fails',
  ],
  restsOn: [
    'denied-consent',
    'stored-token',
    'exchange-token-error-echoes-code',
    'exchange-token-error-echoes-client-secret',
    'retry-resource-error-echoes-authorization',
    'retry-resource-success-echoes-authorization',
  ],
}
