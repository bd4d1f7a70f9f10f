/** How the reference client is driven in the proof. */

import type { ProofSettings } from '../../../../../tests/proof/role.ts'

export const settings: ProofSettings = {
  // The timeouts leave room for a busy machine.
  configuration: {
    timing: { step: '10s', observe: '1500ms', maxWait: '20s', concurrency: 4 },
  },
  // It listens at addresses alone (RFC 8252 §8.3); an oddity of it does at localhost, too.
  notOffered: ['options-localhost-first'],
  restsOn: ['odd-callback'],
}
