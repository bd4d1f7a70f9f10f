/** How the reference client application is driven in the proof. */

import type { ProofSettings } from '../../../../tests/proof/role.ts'

export const settings: ProofSettings = {
  // The timeouts leave room for a busy machine.
  configuration: {
    timing: { step: '8s', observe: '1s', maxWait: '15s', concurrency: 4 },
  },
  restsOn: ['consent-and-complete'],
}
