/** How the reference agent is driven in the proof. */

import type { ProofSettings } from '../../../../tests/proof/role.ts'

export const settings: ProofSettings = {
  // The timeouts leave room for a busy machine: waiting costs little, since other runs go on meanwhile.
  configuration: {
    target: { env: { UPSTREAM_TIMEOUT_MS: '6000' } },
    timing: { ack: '4s', step: '15s', observe: '2s', grace: '5s', maxWait: '25s', concurrency: 4 },
  },
  // It is certified with requests for credentials by calls; by responses variations are.
  notOffered: ['flow-of-another-user'],
  restsOn: ['denied-consent', 'stored-token', 'exchange-token-error-echoes-code'],
}
