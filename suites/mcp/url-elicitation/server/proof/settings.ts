/** How the reference server is driven in the proof. */

import type { ProofSettings } from '../../../../../tests/proof/role.ts'

export const settings: ProofSettings = {
  // The timeouts leave room for a busy machine: waiting costs little, since other runs go on meanwhile.
  configuration: {
    target: { env: { UPSTREAM_TIMEOUT_MS: '6000' } },
    declares: { pendingTimeout: '15s' },
    timing: { ack: '4s', step: '15s', observe: '4s', grace: '5s', maxWait: '25s', concurrency: 4 },
  },
  // It is certified over HTTP; over stdio a variation is.
  notOffered: ['standard-output'],
  restsOn: ['modern', 'denied-at-the-provider', 'form-only', 'strange-browser'],
}
