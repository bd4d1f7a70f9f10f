/** How the reference runtime is driven in the proof. */

import type { ProofSettings } from '../../../../tests/proof/role.ts'

export const settings: ProofSettings = {
  // The timeouts leave room for a busy machine: waiting costs little, since other runs go on meanwhile.
  configuration: {
    declares: { userTimeout: '4s', surfaceWithin: '10s' },
    timing: { step: '10s', grace: '5s', concurrency: 4 },
  },
  notOffered: ['result-with-other-call-id'],
  restsOn: ['complete-without-oauth', 'restart-while-pending', 'two-tools', 'user-identity'],
}
