/** How the reference manager is driven in the proof. */

import { fileURLToPath } from 'node:url'
import type { ProofSettings } from '../../../../tests/proof/role.ts'

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

const program = (name: string, ...args: readonly string[]): string[] => [
  'python3',
  '-I',
  '-B',
  path(`../../planner/reference/${name}.py`),
  ...args,
]

export const settings: ProofSettings = {
  configuration: {
    timing: { ack: '4s', step: '15s', observe: '1s', grace: '5s', maxWait: '25s', concurrency: 4 },
  },
  programs: { main: program('main'), varied: program('varied', path('../reference')) },
  restsOn: ['stored-token', 'expired-code'],
}
