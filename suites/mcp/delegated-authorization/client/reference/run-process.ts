/** Runs the client as a process, configured by environment variables (see README.md). */

import { runAdapter } from './adapter.ts'
import { readEnvironment } from './environment.ts'
import type { Parts } from './parts.ts'
import { runTerminal } from './terminal.ts'

/** Milliseconds that servers have to take note of the end. */
const closeTimeout = 1000

/**
 * Serves the user until the input ends, or until SIGTERM or SIGINT. What is wrong with the environment is printed, one
 * line per problem, and the process ends with code 2.
 *
 * @param parts replaces steps of the client
 */
export function runProcess(parts: Partial<Parts> = {}): void {
  const environment = readEnvironment(process.env)
  if ('problems' in environment) {
    for (const problem of environment.problems) process.stderr.write(`example-client: ${problem}\n`)
    process.exitCode = 2
    return
  }
  const { userInterface, servers } = environment.value
  const { host, ended } =
    userInterface === 'adapter' ? runAdapter(parts) : runTerminal(servers, parts)
  let stopping = false
  const stop = (): void => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(0), closeTimeout)
    void host.close().finally(() => process.exit(0))
  }
  void ended.then(stop)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop)
}
