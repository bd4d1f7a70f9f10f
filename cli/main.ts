#!/usr/bin/env node
/** `aoc` of the whole package. */

import { conformance } from './commands/conformance.ts'
import { runCommandLine } from './run-command-line.ts'

await runCommandLine(conformance)
