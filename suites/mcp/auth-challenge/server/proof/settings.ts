/** How the reference server is driven in the proof. */

import type { ProofSettings } from '../../../../../tests/proof/role.ts'

export const settings: ProofSettings = {
  configuration: { timing: { step: '15s', maxWait: '25s', concurrency: 4 } },
  restsOn: ['token-expired', 'small-scope'],
}
