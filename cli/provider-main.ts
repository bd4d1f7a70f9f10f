#!/usr/bin/env node
/** `aoc` of the package that has the mock provider alone. */

import { declareProvider } from './commands/declare-provider.ts'
import { runCommandLine } from './run-command-line.ts'

await runCommandLine({
  description: 'Serves a strict mock OAuth provider that misbehaves on request.',
  declarations: [declareProvider],
  help: `
Examples:
  aoc provider                       serve it at http://127.0.0.1:9400
  aoc provider --https --control     HTTPS, and https://…/_control/ with a live log
  aoc provider --help                every option

Conformance tests that use it: npm install agent-oauth-conformance`,
})
