/** How the servers of the harness treat connections. */

/**
 * An idle connection stays open for longer than clients keep theirs: one that sends a request just when the server
 * closes sees a reset, which would be nobody's fault.
 */
export const serverOptions = { keepAliveTimeout: 120_000 } as const

export { answerHalfClosed } from '../../mock-provider/index.ts'
