/** agent-oauth-conformance: certifies how agent software hands OAuth authorizations to humans and back. */

export * from './harness/index.ts'
export { exitCodes, exitCodeTable, type ExitCodeRow } from './cli/outcome/exit-codes.ts'
export { profiles } from './suites/registry.ts'
