/** How the reference planner is driven in the proof. */

import { fileURLToPath } from 'node:url'
import type { ProofSettings } from '../../../../tests/proof/role.ts'

const program = (name: string): string[] => [
  'python3',
  '-I',
  '-B',
  fileURLToPath(new URL(`../reference/${name}.py`, import.meta.url)),
]

export const settings: ProofSettings = {
  configuration: {
    timing: { ack: '4s', step: '15s', observe: '1s', grace: '5s', maxWait: '25s', concurrency: 4 },
  },
  programs: { main: program('main'), varied: program('varied') },
  restsOn: ['ten-users', 'second-run'],
}
