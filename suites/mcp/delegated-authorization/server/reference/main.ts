/** The server as it is. */

import { runProcess } from './run-process.ts'

await runProcess()
