/** Whether this machine has more to do than it can: then an answer that is late says little of the implementation. */

import { availableParallelism, loadavg } from 'node:os'

/** By the programs that could run during the last minute; where the system does not count them, it is not busy. */
export function machineIsBusy(): boolean {
  const [lastMinute = 0] = loadavg()
  return lastMinute > 1.5 * availableParallelism()
}
