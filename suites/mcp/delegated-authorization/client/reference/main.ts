/** The client as a process: `main.ts`, configured by environment variables (see README.md). */

import { runProcess } from './run-process.ts'

runProcess()
