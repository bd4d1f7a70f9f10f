/** The agent as it is. */

import { runProcess } from './run-process.ts'

runProcess()
